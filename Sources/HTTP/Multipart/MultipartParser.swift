import Bytes
import Foundation

/// Receives the parts that a ``MultipartParser`` finds, in order.
protocol MultipartSink {
  mutating func beginPart(_ head: PartHead) throws(Problem)
  /// Receives the next bytes of the part, which are valid only during the call.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(Problem)
  mutating func endPart() throws(Problem)
}

/// Splits a `multipart/form-data` body (RFC 7578, RFC 2046 §5.1) that arrives in chunks of any size.
///
/// It buffers only the header block of one part, which is at most ``maximumHeaderBytes`` long. Lines must end with CR
/// LF. The parser examines every byte a bounded number of times.
struct MultipartParser {
  static let maximumHeaderBytes = 8 << 10
  private static let maximumPaddingBytes = 64
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let hyphen = UInt8(ascii: "-")

  private enum State {
    /// Before the first delimiter. The parser drops the input.
    case preamble
    case body
    /// Directly after a delimiter.
    case delimited
    /// After a delimiter and one hyphen.
    case closing
    /// After a delimiter and this many spaces and tabs.
    case padding(Int)
    /// After a delimiter and a carriage return.
    case lineEnd
    case header
    /// After the closing delimiter. The parser drops the input.
    case epilogue
  }

  /// CR LF, two hyphens and the boundary. CR occurs only at its start, so that a mismatch
  /// never needs more than one step back.
  private let delimiter: [UInt8]
  private let maximumParts: Int
  private var state = State.preamble
  /// How many bytes of the delimiter the last chunk ended with.
  private var matched = 2
  /// How many of the matched bytes are not content if no complete delimiter follows. A delimiter at the very beginning
  /// shares its line break with the line before it, or needs none.
  private var implied = 2
  private var header: [UInt8] = []
  private var parts = 0

  init(boundary: MultipartBoundary, maximumParts: Int) {
    delimiter = Array("\r\n--\(boundary.text)".utf8)
    self.maximumParts = maximumParts
  }

  /// Parses the next chunk of the body.
  ///
  /// - Throws: 400 if the body is malformed, or the sink's error. Call nothing else after an error.
  mutating func push(
    _ piece: UnsafeRawBufferPointer, into sink: inout some MultipartSink
  ) throws(Problem) {
    var rest = piece
    while let byte = rest.first {
      switch state {
      case .preamble, .body:
        rest = try scan(rest, into: &sink)
        continue
      case .epilogue: return
      case .delimited where byte == Self.hyphen: state = .closing
      case .closing:
        guard byte == Self.hyphen else { throw Self.garbage }
        state = .epilogue
      case .delimited, .padding: try pass(byte)
      case .lineEnd:
        guard byte == Self.lineFeed else { throw Self.garbage }
        header.removeAll(keepingCapacity: true)
        state = .header
      case .header: try readHeader(byte, into: &sink)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
    }
  }

  /// Ends the body.
  ///
  /// - Throws: 400 if the closing delimiter is missing.
  func finish() throws(Problem) {
    guard case .epilogue = state else {
      throw Problem(.malformedRequest, "The multipart body ends before its closing boundary.")
    }
  }

  private static var garbage: Problem {
    Problem(.malformedRequest, "A multipart boundary must be followed by a line end.")
  }

  /// Skips spaces and tabs between a delimiter and its line break ("transport padding", RFC 2046 §5.1.1).
  private mutating func pass(_ byte: UInt8) throws(Problem) {
    var blanks = 0
    if case .padding(let count) = state { blanks = count }
    switch byte {
    case Self.carriageReturn: state = .lineEnd
    case UInt8(ascii: " "), UInt8(ascii: "\t"):
      guard blanks < Self.maximumPaddingBytes else { throw Self.garbage }
      state = .padding(blanks + 1)
    default: throw Self.garbage
    }
  }

  private mutating func readHeader(
    _ byte: UInt8, into sink: inout some MultipartSink
  ) throws(Problem) {
    guard header.count < Self.maximumHeaderBytes else {
      throw Problem(.malformedRequest, "The header of a part is longer than 8192 bytes.")
    }
    header.append(byte)
    guard byte == Self.lineFeed, header.count == 2 || header.suffix(4) == [13, 10, 13, 10] else {
      return
    }
    guard header[header.count - 2] == Self.carriageReturn else { throw Self.garbage }
    let head = try PartHead(header.dropLast(2))
    parts += 1
    guard parts <= maximumParts else {
      throw Problem(.malformedRequest, "The form has more than \(maximumParts) parts.")
    }
    try sink.beginPart(head)
    (state, matched, implied) = (.body, 2, 2)
  }
}

extension MultipartParser {
  /// Searches for the delimiter, and passes the bytes before it to the sink.
  ///
  /// - Returns: the bytes after the delimiter; none if this chunk does not complete a delimiter.
  private mutating func scan(
    _ piece: UnsafeRawBufferPointer, into sink: inout some MultipartSink
  ) throws(Problem) -> UnsafeRawBufferPointer {
    var start = 0
    if matched > 0 {
      start = match(piece[...])
      if matched == delimiter.count {
        try endPart(in: &sink)
        return UnsafeRawBufferPointer(rebasing: piece[start...])
      }
      if start == piece.count { return UnsafeRawBufferPointer(start: nil, count: 0) }
      try emitHeldBack(into: &sink)
    }
    var position = start
    while let found = Self.carriageReturn(in: piece, from: position) {
      position = found + match(piece[found...])
      if matched == delimiter.count {
        try emit(piece[start..<found], into: &sink)
        try endPart(in: &sink)
        return UnsafeRawBufferPointer(rebasing: piece[position...])
      }
      if position == piece.count {
        try emit(piece[start..<found], into: &sink)
        return UnsafeRawBufferPointer(start: nil, count: 0)
      }
      matched = 0
    }
    try emit(piece[start...], into: &sink)
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Continues to match the delimiter at position `matched`.
  ///
  /// - Returns: how many bytes matched.
  private mutating func match(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    var count = 0
    for byte in bytes {
      guard matched < delimiter.count, byte == delimiter[matched] else { break }
      matched += 1
      count += 1
    }
    return count
  }

  private static func carriageReturn(in piece: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < piece.count, let base = piece.baseAddress,
      let found = memchr(base + start, Int32(carriageReturn), piece.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Emits the end of an earlier chunk that looked like the delimiter, but was content.
  private mutating func emitHeldBack(into sink: inout some MultipartSink) throws(Problem) {
    let content = delimiter[min(implied, matched)..<matched]
    (matched, implied) = (0, 0)
    guard case .body = state, !content.isEmpty else { return }
    try Bytes(Array(content)).withUnsafeBytes { bytes throws(Problem) in try sink.receive(bytes) }
  }

  private func emit(
    _ content: Slice<UnsafeRawBufferPointer>, into sink: inout some MultipartSink
  ) throws(Problem) {
    guard case .body = state, !content.isEmpty else { return }
    try sink.receive(UnsafeRawBufferPointer(rebasing: content))
  }

  private mutating func endPart(in sink: inout some MultipartSink) throws(Problem) {
    if case .body = state { try sink.endPart() }
    (state, matched, implied) = (.delimited, 0, 0)
  }
}
