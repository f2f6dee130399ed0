package import Bytes
package import Memes

/// Stores backups for ``Backups``. Only one backup is made at a time.
///
/// Every method that throws may throw ``MemeError/storageFull``, ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol BackupStore: Sendable {
  /// The complete backups, the most recently made first. Other files in their folder are ignored.
  func all() throws -> [Backup]

  /// The free bytes on the disk of the backups; `nil` if unknown.
  var freeBytes: Int? { get }

  /// Removes the files of backups that were never completed. No backup may be in progress.
  func removeLeftovers()

  /// Begins a backup, without copying any data yet. It is dated `time`, or later if another backup has that second.
  ///
  /// - Throws: ``MemeError/storageFull`` if the disk has no space for it.
  func begin(
    _ id: BackupID, at time: Timestamp, by program: String, isManual: Bool
  ) throws -> Backup

  /// Copies the database and the keys. Others can read and write during the call.
  ///
  /// - Parameter progress: called on any thread.
  func copy(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws

  /// Reads the whole copy and reports damage.
  ///
  /// - Parameters:
  ///   - report: receives each finding, on any thread.
  ///   - progress: called on any thread.
  func verify(
    _ backup: Backup, report: @escaping @Sendable (Finding) -> Void,
    progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws -> CheckSummary

  /// Makes the copy a complete backup. On return, this is durable.
  func complete(_ backup: Backup, verifiedAt time: Timestamp) throws -> Backup

  /// Removes the files of an incomplete backup.
  func discard(_ backup: Backup)

  /// Deletes a complete backup for good.
  ///
  /// - Throws: ``MemeError/notFound``.
  func remove(_ backup: Backup) throws

  /// Opens the file of a complete backup. The file can be read to its end even if the backup is removed.
  ///
  /// - Throws: ``MemeError/notFound``.
  func open(_ backup: Backup) throws -> OpenedFile

  /// Writes an entry to the audit log.
  func record(_ entry: AuditEntry) async throws
}
