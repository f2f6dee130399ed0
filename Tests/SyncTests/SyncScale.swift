import Foundation

/// The number of lives in the tests of sync. `script/sync-torture` sets it; `script/test` uses the default.
enum SyncScale {
  private static let variables = ProcessInfo.processInfo.environment

  /// The first seed. Each life prints its own.
  static let seed = variables["SYNC_SEED"].flatMap { UInt64($0) } ?? 7_000
  static let lives = variables["SYNC_LIVES"].flatMap { UInt64($0) } ?? 20
}
