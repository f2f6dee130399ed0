package import Bytes

/// A part of bytes in another system, or all of them, that are read only if a response sends them.
package struct RemotePart: Sendable {
  private let source: any RemoteBytes
  /// The byte range within the source.
  let range: Range<Int>

  /// All bytes.
  package init(_ source: any RemoteBytes) { self.init(source, 0..<source.count) }

  private init(_ source: any RemoteBytes, _ range: Range<Int>) {
    (self.source, self.range) = (source, range)
  }

  /// Reads the bytes of the part.
  ///
  /// - Throws: the errors of the source.
  func bytes() async throws -> Bytes { try await source.bytes(in: range) }

  /// The bytes of `range`, counted from the first byte of `self`.
  ///
  /// - Returns: `nil` if the range is not within the part.
  func slice(_ range: Range<Int>) -> RemotePart? {
    guard range.lowerBound >= 0, range.upperBound <= self.range.count else { return nil }
    let start = self.range.lowerBound
    return RemotePart(source, start + range.lowerBound..<start + range.upperBound)
  }
}
