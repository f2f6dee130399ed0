import Eventually
import Foundation
import Support
import Testing
import Wire

/// A client that listens to changes, and reads them as a browser's EventSource does.
final class EventClient {
  /// A change as it came.
  struct Event: Sendable {
    let id: String
    let json: JSON

    /// As ``SyncedPage/changes`` has it.
    var text: String { json.changeText }
  }

  let head: WireResponse
  /// The id of the last block that had one: where to go on.
  private(set) var lastID = ""
  /// How many comments came.
  private(set) var comments = 0
  /// What the first block asked for, in milliseconds.
  private(set) var retry: Int?
  private let wire: WireClient
  private var rest: [UInt8] = []

  private init(_ wire: WireClient, _ head: WireResponse) { (self.wire, self.head) = (wire, head) }

  /// Begins to listen, and reads the first block, which has an id and no change.
  static func listen(
    to server: TestServer, since id: String? = nil, token: String? = nil, cookie: String? = nil,
    query: String = ""
  ) async throws -> EventClient {
    var fields = "Accept: text/event-stream\r\n"
    if let id { fields += "Last-Event-ID: \(id)\r\n" }
    if let token { fields += "Authorization: Bearer \(token)\r\n" }
    if let cookie { fields += "Cookie: \(cookie)\r\n" }
    let request = "GET /memes/events\(query) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
    var (wire, head) = try await open(request, server)
    // That a client has left is noticed within a second.
    try await eventually("the person may have one more stream") {
      if head.status == 429 { (wire, head) = try await open(request, server) }
      return head.status != 429
    }
    let client = EventClient(wire, head)
    try #require(client.head.status == 200)
    let first = try #require(try await client.block())
    #expect(client.read(first) == nil && !client.lastID.isEmpty)
    return client
  }

  private static func open(
    _ request: String, _ server: TestServer
  ) async throws -> (WireClient, WireResponse) {
    let wire = try server.connect()
    await wire.send(request)
    return (wire, try await wire.head())
  }

  /// The next change; `nil` at the end of the stream.
  func next() async throws -> Event? {
    while let block = try await block() {
      if let event = read(block) { return event }
    }
    return nil
  }

  /// So many changes, in short.
  func next(_ count: Int) async throws -> [String] {
    var texts: [String] = []
    while texts.count < count, let event = try await next() { texts.append(event.text) }
    return texts
  }

  /// Reads until a comment comes, which is before any change.
  func comment() async throws {
    let before = comments
    while comments == before { #expect(read(try #require(try await block())) == nil) }
  }

  func leave() { wire.vanish() }

  private func read(_ block: [Substring]) -> Event? {
    var data: Substring?
    for line in block {
      // After the name a colon, and one blank that belongs to neither.
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].dropFirst(parts[1].first == " " ? 1 : 0) : ""
      switch parts[0] {
      case "": comments += 1
      case "id": lastID = String(value)
      case "retry": retry = Int(value)
      case "data":
        #expect(data == nil, "one line each")
        data = value
      default: Issue.record("a field of another name: \(line)")
      }
    }
    guard let data else { return nil }
    return Event(id: lastID, json: (try? JSON(parsing: Array(data.utf8))) ?? .null)
  }

  /// The lines up to the next empty one; `nil` at the end of the stream.
  private func block() async throws -> [Substring]? {
    while true {
      if let end = rest.withUnsafeBytes(Self.emptyLine) {
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 2)
        return text.split(separator: "\n")
      }
      guard let chunk = try await wire.chunk() else {
        #expect(rest.isEmpty, "a stream ends behind a block")
        return nil
      }
      rest += chunk
    }
  }

  /// Where the first of two ends of a line stands that follow each other.
  private static func emptyLine(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    var place = 0
    // Events are long: byte by byte this would be slower than the server waits.
    while place < bytes.count - 1, let end = memchr(start + place, 0x0A, bytes.count - 1 - place) {
      place = UnsafeRawPointer(end) - start
      if bytes[place + 1] == 0x0A { return place }
      place += 1
    }
    return nil
  }
}
