import Files
import Memes
import Storage

extension Server {
  private static let templatesOfAccount = 100

  /// The limits on stored data, from the settings. Limits without a setting were chosen at the first start.
  static func limits(
    _ settings: Settings, _ usage: UsageStore, in folder: DataFolder, _ log: Log
  ) async throws -> StorageLimits {
    // Some file systems report a size of 0.
    let disk = FreeDisk.capacity(at: folder.path).flatMap { $0 > 0 ? $0 : nil }
    if disk == nil, settings.anonymousBytes == nil {
      log.write(
        .warning, "cannot read the disk size",
        [("setting", .text("MEMEME_ANONYMOUS_BYTES"))])
    }
    let proposed = StorageLimits(
      account: Settings.standardQuotaBytes, anonymous: disk.map { $0 / 10 },
      templates: templatesOfAccount)
    var (limits, areNew) = try await usage.standardLimits(proposing: proposed)
    if let bytes = settings.quotaBytes { limits.account = bytes > 0 ? bytes : nil }
    if let bytes = settings.anonymousBytes { limits.anonymous = bytes > 0 ? bytes : nil }
    guard areNew else { return limits }
    for (name, limit, isSet) in [
      ("MEMEME_QUOTA_BYTES", limits.account, settings.quotaBytes != nil),
      ("MEMEME_ANONYMOUS_BYTES", limits.anonymous, settings.anonymousBytes != nil),
    ] where !isSet {
      if let limit {
        log.write(
          .info, "storage limit set", [("setting", .text(name)), ("bytes", .whole(limit))])
      } else {
        log.write(
          .warning, "storage limit disabled: the stored data exceeds it", [("setting", .text(name))]
        )
      }
    }
    return limits
  }
}
