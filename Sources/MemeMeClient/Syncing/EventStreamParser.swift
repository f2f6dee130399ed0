import Foundation

/// An incremental parser for the `text/event-stream` format (HTML Living Standard §9.2.6).
///
/// Lines end with CR, LF or CRLF. A chunk may end anywhere, even within a character or between CR and LF.
struct EventStreamParser {
  /// An event. It ends with a blank line.
  struct Event: Equatable, Sendable {
    /// The last ID received, in this event or before; `nil` before the first.
    var id: String?
    /// The type; `message` if the server does not specify one.
    var type: String
    /// The data lines, joined by line feeds.
    var data: String
  }

  /// A line or an event is too large. The input may not be an event stream.
  struct Failure: Error, Equatable {}

  /// The time that the server asks clients to wait before they reconnect.
  private(set) var reconnectionTime: Duration?
  private(set) var lastID: String?

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let mostBytes: Int
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var type = ""
  private var id: String?
  private var endedWithReturn = false
  private var isAtStart = true

  /// - Parameters:
  ///   - lastID: The last event ID of the stream that this one continues.
  ///   - mostBytes: The maximum size of a line and of the data of an event.
  init(lastID: String? = nil, mostBytes: Int = 4 << 20) {
    self.lastID = lastID
    id = lastID
    self.mostBytes = mostBytes
  }

  /// Parses a chunk of the stream.
  ///
  /// - Returns: The events that the chunk completes.
  mutating func take(_ piece: Data) throws(Failure) -> [Event] {
    var events: [Event] = []
    var rest = piece[...]
    while !rest.isEmpty {
      if endedWithReturn {
        endedWithReturn = false
        if rest.first == Self.lineFeed { rest.removeFirst() }
      }
      let end = rest.firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
      let part = rest[..<(end ?? rest.endIndex)]
      guard line.count + part.count <= mostBytes else { throw Failure() }
      line += part
      guard let end else { break }
      endedWithReturn = rest[end] == Self.carriageReturn
      rest = rest[end...].dropFirst()
      if let event = try endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() throws(Failure) -> Event? {
    if isAtStart {
      isAtStart = false
      // The stream may begin with a byte order mark.
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    defer { line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    // A line that begins with a colon is a comment that keeps the connection alive.
    guard colon > line.startIndex else { return nil }
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    try takeField(String(decoding: line[..<colon], as: UTF8.self), value)
    return nil
  }

  private mutating func takeField(_ name: String, _ value: ArraySlice<UInt8>) throws(Failure) {
    switch name {
    case "data":
      if hasData { data.append(Self.lineFeed) }
      guard data.count + value.count <= mostBytes else { throw Failure() }
      data += value
      hasData = true
    case "event": type = String(decoding: value, as: UTF8.self)
    case "id":
      if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
    case "retry":
      let isNumber = !value.isEmpty && value.allSatisfy { (0x30...0x39).contains($0) }
      if isNumber, let milliseconds = Int(String(decoding: value, as: UTF8.self)) {
        reconnectionTime = .milliseconds(milliseconds)
      }
    default: break
    }
  }

  private mutating func dispatch() -> Event? {
    lastID = id
    defer {
      data = []
      hasData = false
      type = ""
    }
    guard hasData else { return nil }
    return Event(
      id: lastID, type: type.isEmpty ? "message" : type,
      data: String(decoding: data, as: UTF8.self))
  }
}
