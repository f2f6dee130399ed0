import Foundation

/// Standard input, output and error.
enum StandardFiles {
  /// Opens the null device in place of each one that is closed. Otherwise the next file that the process opens, which
  /// may be the database, gets the number of a standard file, and messages overwrite it.
  static func open() {
    var file: Int32
    repeat { file = Foundation.open("/dev/null", O_RDWR) } while (0...STDERR_FILENO).contains(file)
    if file >= 0 { close(file) }
  }
}

extension FileHandle {
  /// Writes a text, unless the disk is full or the reader has ended. `write(_:)` would crash then, in the middle of the
  /// command.
  func put(_ text: String) { try? write(contentsOf: Data(text.utf8)) }
}
