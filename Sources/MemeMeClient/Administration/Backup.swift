public import Foundation

/// A backup: a copy of all data of a server in one file.
public struct Backup: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Backup>

  public var id: ID
  public var state: State
  /// The start of the backup. It contains every change that the server confirmed before this time.
  public var createdAt: Date
  /// The time when the server had verified the entire backup against its digests; `nil` before.
  public var verifiedAt: Date?
  public var fileName: String
  /// The size of the file in bytes; `nil` until the backup is complete.
  public var byteCount: Int64?
  /// The progress of the current step; `nil` if the backup is neither copied nor verified at the moment.
  public var progress: Progress?
  /// The number of visible memes in the backup; `nil` until the backup is complete.
  public var memes: Int?
  /// The version of the server that made the backup.
  public var version: String
  /// The reason for a failure, in one sentence.
  public var problem: String?
  /// The path of the file. ``MemeMeClient/MemeMeClient/downloadBackup(_:to:progress:)`` downloads it.
  public var url: String?

  public struct State: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let copying: Self = "copying"
    public static let verifying: Self = "verifying"
    public static let complete: Self = "complete"
    public static let failed: Self = "failed"
  }

  /// The progress of copying or, after that, of verifying.
  public struct Progress: Sendable, Hashable, Codable {
    public var doneBytes: Int64
    public var allBytes: Int64
  }
}

/// The backups of a server, and its backup settings.
public struct BackupList: Sendable, Hashable, Codable {
  /// The backups, newest first. A running backup and failed ones are included.
  public var items: [Backup]
  /// The free bytes on the disk that holds the backups.
  public var freeBytes: Int64?
  /// The interval of automatic backups, in seconds since the newest backup; 0 if they are off.
  public var intervalSeconds: Int
  /// The number of days with a backup for which the server keeps the newest scheduled one of the day, else a manual
  /// one.
  public var keepDays: Int
  /// The number of weeks with a backup for which the server keeps the newest scheduled one of the week, else a manual
  /// one.
  public var keepWeeks: Int
  /// The number of newest manual backups that the server keeps in addition; `nil` for a server of version 0.1.0.
  public var keepManual: Int?
}
