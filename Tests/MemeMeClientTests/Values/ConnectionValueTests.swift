import Foundation
import Testing

@testable import MemeMeClient

struct ConnectionValueTests {
  private static let ids = (
    connection: "01a1fd31-7c42-7d10-a2b3-9e8d7c6b5a40",
    mapping: "01a1fd31-7c42-7d10-a2b3-9e8d7c6b5a41",
    delivery: "01a1fd31-7c42-7d10-a2b3-9e8d7c6b5a42"
  )

  private static let mapping = """
    {"id": "\(ids.mapping)", "connection": "\(ids.connection)", "events": ["meme.created", "meme.shared"],
     "filter": {"author": null, "visibility": "public"}, "format": "json", "fields": ["top", "image"],
     "state": "active", "stateDescription": "It is active.", "createdAt": "2026-11-26T08:05:00.123Z"}
    """

  private static let connection = """
    {"id": "\(ids.connection)", "owner": "ada", "name": "a bot", "kind": "webhook",
     "url": "https://bot.example.org/memes", "scope": "own", "state": "sleeping", "stateDescription": "It sleeps.",
     "mappingsState": "none", "lag": 3, "delivered": 4, "failed": 5, "lastDelivery": null,
     "lastError": "The server did not respond in time.", "createdAt": "2026-11-26T08:05:00.123Z",
     "mappings": [\(mapping)], "secret": "whsec_very+secret"}
    """

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder.mememe.encode(value), as: UTF8.self)
  }

  private func read<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws
    -> Value
  {
    try JSONDecoder.mememe.decode(type, from: Data(text.utf8))
  }

  @Test func `a connection is read, with unknown values and without its secret`() throws {
    let made: NewConnection = try read(Self.connection)
    let connection = made.connection
    #expect(made.secret == Token("whsec_very+secret"))
    #expect(connection.id.description == Self.ids.connection)
    #expect((connection.lag, connection.delivered, connection.failed) == (3, 4, 5))
    #expect(connection.state == "sleeping" && connection.mappingsState == .noMappings)
    #expect(connection.lastDelivery == nil && connection.lastError != nil)
    let mapping = try #require(connection.mappings.first)
    #expect(mapping.events == [.memeCreated, "meme.shared"])
    #expect(mapping.connection == connection.id)
    #expect(mapping.filter == Mapping.Filter(visibility: .everyone))
    let text = try json(connection)
    #expect(!text.contains("whsec_"))
    #expect(try read(text) == connection)
  }

  @Test func `the terms of a mapping omit what is not set`() throws {
    #expect(try json(Mapping.Terms([.commentCreated])) == #"{"events":["comment.created"]}"#)
    let mapping: Mapping = try read(Self.mapping)
    var terms = mapping.terms
    terms.filter = Mapping.Filter(author: "ada")
    terms.fields = []
    #expect(
      try json(terms)
        == """
        {"events":["meme.created","meme.shared"],"fields":[],"filter":{"author":"ada"},"format":"json"}
        """)
  }

  @Test func `a file of mappings round-trips`() throws {
    let text = """
      {"version": 1,
       "connection": {"id": "\(Self.ids.connection)", "name": "a bot", "url": "https://bot.example.org/memes",
                      "scope": "all", "exportedAt": "2026-11-26T08:05:00.123Z"},
       "mappings": [{"id": "\(Self.ids.mapping)", "events": ["like.created"],
                     "filter": {"author": "ada", "visibility": null}, "format": "slack", "fields": null},
                    {"events": ["user.created"]}]}
      """
    let file: MappingFile = try read(text)
    #expect(file.connection?.scope == .all)
    let entry = try #require(file.mappings.first)
    #expect(entry.id?.description == Self.ids.mapping)
    #expect(
      entry.terms
        == Mapping.Terms([.likeCreated], filter: Mapping.Filter(author: "ada"), format: .slack))
    #expect(file.mappings.last == MappingFile.Entry(Mapping.Terms([.userCreated])))
    #expect(try read(json(file)) == file)
    #expect(
      try json(MappingFile([MappingFile.Entry(Mapping.Terms([.userCreated]), id: entry.id)]))
        == """
        {"mappings":[{"events":["user.created"],"id":"\(Self.ids.mapping)"}],"version":1}
        """)
  }

  @Test func `a delivery is read, with and without a response`() throws {
    func delivery(_ rest: String) throws -> Delivery {
      try read(
        """
        {"id": "\(Self.ids.delivery)", "eventId": "msg_1", "type": "follow.created",
         "mapping": "\(Self.ids.mapping)", "durationMs": 12, "attemptedAt": "2026-11-26T08:05:00.123Z", \(rest)}
        """)
    }
    let lost = try delivery(
      """
      "meme": null, "outcome": "failed", "status": null, "error": "Connection refused.", "responseHead": null
      """)
    #expect((lost.meme, lost.status, lost.responseHead) == (nil, nil, nil))
    #expect((lost.outcome, lost.error) == (.failed, "Connection refused."))
    #expect((lost.type, lost.eventId, lost.durationMs) == (.followCreated, "msg_1", 12))
    let arrived = try delivery(
      """
      "meme": "\(Self.ids.mapping)", "outcome": "delivered", "status": 204, "error": null,
      "responseHead": "HTTP/1.1 204 No Content"
      """)
    #expect((arrived.outcome, arrived.status, arrived.error) == (.delivered, 204, nil))
    #expect(arrived.meme?.description == Self.ids.mapping)
  }

  @Test func `a changed secret is not repeated by itself`() {
    #expect(!Call(.changeConnectionSecret, Self.ids.connection).isRepeatable)
    #expect(!Call(.createConnection).isRepeatable)
    #expect(Call(.replaceMapping, Self.ids.mapping).isRepeatable)
    #expect(Call(.deleteConnection, Self.ids.connection).isRepeatable)
    #expect(
      Call(.retryDelivery, Self.ids.delivery).target
        == "/deliveries/\(Self.ids.delivery)/actions/retry")
  }
}
