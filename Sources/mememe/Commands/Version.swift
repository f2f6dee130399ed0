import DrawingHelper
import SQL
import SQLite

/// The version of this build. `info.version` of the OpenAPI description is the same.
package enum Version {
  package static let current = "0.2.0"

  /// The versions of this build and of the libraries that it runs with.
  static var report: String {
    """
    mememe \(current)
    libvips \(DrawingHelper.libraryVersion)
    SQLite \(SQLiteDatabase.version)
    """
  }
}
