/// SQLite's `PRAGMA synchronous`: whether a commit waits for the disk.
package enum Synchronous: String, Sendable {
  /// A transaction that was committed survives a loss of power.
  case full = "FULL"
  /// It survives the end of the process, and no more: for tests of everything but durability.
  case off = "OFF"
}
