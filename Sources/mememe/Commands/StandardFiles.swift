import Foundation

extension FileHandle {
  /// Writes a text, unless the disk is full or the reader has ended. `write(_:)` would crash then, in the middle of the
  /// command.
  func put(_ text: String) { try? write(contentsOf: Data(text.utf8)) }
}
