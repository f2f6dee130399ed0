import Foundation

/// How many lives the tests of sync have: `script/sync-torture` sets it, `script/test` has them few.
enum SyncScale {
  private static let variables = ProcessInfo.processInfo.environment

  /// The first seed; each prints its own.
  static let seed = variables["SYNC_SEED"].flatMap { UInt64($0) } ?? 7_000
  static let lives = variables["SYNC_LIVES"].flatMap { UInt64($0) } ?? 20
}
