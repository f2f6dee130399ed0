import DrawingHelper
import SQLite

/// What this build calls itself; the contract's `info.version` is the same.
package enum Version {
  package static let current = "0.1.0"

  /// This build and the libraries that it runs with.
  static var report: String {
    """
    mememe \(current)
    libvips \(DrawingHelper.libraryVersion)
    SQLite \(Database.version)
    """
  }
}
