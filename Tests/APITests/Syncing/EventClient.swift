import Eventually
import Foundation
import Support
import Testing
import Wire

/// A client that listens to changes and parses them as a browser's `EventSource` does.
final class EventClient {
  /// A change, as received.
  struct Event: Sendable {
    let id: String
    let json: JSON

    /// The change in the format of ``SyncedPage/changes``.
    var text: String { json.changeText }
  }

  let head: WireResponse
  /// The id of the last block that had one, after which to resume.
  private(set) var lastID = ""
  /// The number of comments received.
  private(set) var comments = 0
  /// The `retry` value of the first block, in milliseconds.
  private(set) var retry: Int?
  private let wire: WireClient
  private var rest: [UInt8] = []

  private init(_ wire: WireClient, _ head: WireResponse) { (self.wire, self.head) = (wire, head) }

  /// Starts to listen and reads the first block, which has an id but no change.
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
    // The server notices within a second that a client has left.
    try await eventually("the person can open one more stream") {
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

  /// Returns the next change, or `nil` at the end of the stream.
  func next() async throws -> Event? {
    while let block = try await block() {
      if let event = read(block) { return event }
    }
    return nil
  }

  /// Returns the next `count` changes in the short format.
  func next(_ count: Int) async throws -> [String] {
    var texts: [String] = []
    while texts.count < count, let event = try await next() { texts.append(event.text) }
    return texts
  }

  /// Reads until a comment arrives, which must come before any change.
  func comment() async throws {
    let before = comments
    while comments == before { #expect(read(try #require(try await block())) == nil) }
  }

  func leave() { wire.vanish() }

  private func read(_ block: [Substring]) -> Event? {
    var data: Substring?
    for line in block {
      // A colon follows the name. One space after it belongs to neither the name nor the value.
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].dropFirst(parts[1].first == " " ? 1 : 0) : ""
      switch parts[0] {
      case "": comments += 1
      case "id": lastID = String(value)
      case "retry": retry = Int(value)
      case "data":
        #expect(data == nil, "an event has one data line")
        data = value
      default: Issue.record("a field of another name: \(line)")
      }
    }
    guard let data else { return nil }
    return Event(id: lastID, json: (try? JSON(parsing: Array(data.utf8))) ?? .null)
  }

  /// Returns the lines up to the next empty one, or `nil` at the end of the stream.
  private func block() async throws -> [Substring]? {
    while true {
      if let end = rest.withUnsafeBytes(Self.emptyLine) {
        let text = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 2)
        return text.split(separator: "\n")
      }
      guard let chunk = try await wire.chunk() else {
        #expect(rest.isEmpty, "a stream ends after a complete block")
        return nil
      }
      rest += chunk
    }
  }

  /// The index of the first of two consecutive line ends.
  private static func emptyLine(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    var place = 0
    // Events are long: a scan byte by byte would take longer than the server waits.
    while place < bytes.count - 1, let end = memchr(start + place, 0x0A, bytes.count - 1 - place) {
      place = UnsafeRawPointer(end) - start
      if bytes[place + 1] == 0x0A { return place }
      place += 1
    }
    return nil
  }
}
