public import Foundation

/// A copy of everything that a server has, in one file.
public struct Backup: Sendable, Hashable, Codable, Identifiable {
  public typealias ID = Identifier<Backup>

  public var id: ID
  public var state: State
  /// When it was begun: it has all that was answered before.
  public var createdAt: Date
  /// When all of it had been held against its digests.
  public var verifiedAt: Date?
  public var fileName: String
  /// `nil` while it is not complete.
  public var byteCount: Int64?
  /// `nil` when it is not being made.
  public var progress: Progress?
  /// How many memes people see in it; `nil` while it is not complete.
  public var memes: Int?
  /// The version of the program that made it.
  public var version: String
  /// Why it failed, in a sentence.
  public var problem: String?
  /// The address of its file; ``MemeMeClient/MemeMeClient/downloadBackup(_:to:progress:)`` fetches it.
  public var url: String?

  public struct State: OpenValue {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let copying: Self = "copying"
    public static let verifying: Self = "verifying"
    public static let complete: Self = "complete"
    public static let failed: Self = "failed"
  }

  /// How far the copying, or then the verifying, is.
  public struct Progress: Sendable, Hashable, Codable {
    public var doneBytes: Int64
    public var allBytes: Int64
  }
}

/// The backups of a server, and what is set for them.
public struct BackupList: Sendable, Hashable, Codable {
  /// Newest first; one that is being made, or that failed, is among them.
  public var items: [Backup]
  /// What is free on the disk that they go to.
  public var freeBytes: Int64?
  /// After so many seconds since the newest one, the next is made; 0 where nobody wants that.
  public var intervalSeconds: Int
  /// Of so many days that have one, the newest is kept.
  public var keepDays: Int
  /// Of so many weeks that have one, the newest is kept.
  public var keepWeeks: Int
  /// How many of the last manual backups are kept besides; `nil` on a server of version 0.1.0.
  public var keepManual: Int?
}
