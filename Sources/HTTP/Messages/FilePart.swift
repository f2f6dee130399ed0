package import Bytes

/// A part of a file, or the whole file, that the server sends from disk without loading all of it into memory.
package final class FilePart: Sendable {
  package let file: OpenedFile
  /// The byte range within the file.
  package let range: Range<Int>

  /// The whole file.
  package convenience init(_ file: OpenedFile) { self.init(file, 0..<file.count) }

  private init(_ file: OpenedFile, _ range: Range<Int>) { (self.file, self.range) = (file, range) }

  /// The bytes of `range`, counted from the first byte of `self`.
  ///
  /// - Returns: `nil` if the range is not within the part.
  func slice(_ range: Range<Int>) -> FilePart? {
    guard range.lowerBound >= 0, range.upperBound <= self.range.count else { return nil }
    let start = self.range.lowerBound
    return FilePart(file, start + range.lowerBound..<start + range.upperBound)
  }
}
