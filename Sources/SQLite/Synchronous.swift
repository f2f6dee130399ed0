/// SQLite's `PRAGMA synchronous`: whether a commit waits for the disk.
package enum Synchronous: String, Sendable {
  /// A committed transaction survives a power failure.
  case full = "FULL"
  /// A committed transaction survives the end of the process, but not a power failure.
  /// For tests of everything but durability.
  case off = "OFF"
}
