package import Bytes

/// A part of a file, or all of it, that is sent from the disk and never in memory as a whole.
package final class FilePart: Sendable {
  package let file: OpenedFile
  /// Within the file.
  package let range: Range<Int>

  /// All of the file.
  package convenience init(_ file: OpenedFile) { self.init(file, 0..<file.count) }

  private init(_ file: OpenedFile, _ range: Range<Int>) { (self.file, self.range) = (file, range) }

  /// The bytes of `range`, counted from the first byte of `self`.
  ///
  /// - Returns: `nil` where the range is not within the part.
  func slice(_ range: Range<Int>) -> FilePart? {
    guard range.lowerBound >= 0, range.upperBound <= self.range.count else { return nil }
    let start = self.range.lowerBound
    return FilePart(file, start + range.lowerBound..<start + range.upperBound)
  }
}
