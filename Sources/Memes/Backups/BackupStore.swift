package import Bytes

/// What ``Backups`` needs of a store. One backup is made at a time.
package protocol BackupStore: Sendable {
  /// Those that are complete, the last one that was made first. What else is in their folder is not told and not touched.
  func all() throws(MemeError) -> [Backup]

  /// What is free on the disk of their folder; `nil` where that is not known.
  var freeBytes: Int? { get }

  /// Removes what is left of those that were never completed. None may be being made.
  func removeLeftovers()

  /// Begins a backup of which there is nothing yet, in the first second from `time` on that no other has.
  ///
  /// - Throws: ``MemeError/storageFull`` where the disk has no room for it.
  func begin(
    _ id: BackupID, at time: Timestamp, by program: String, isManual: Bool
  ) throws(MemeError) -> Backup

  /// Copies everything, while others read and write.
  ///
  /// - Parameter progress: runs on any thread.
  func copy(
    _ backup: Backup, progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws(MemeError)

  /// Reads all of the copy, and tells what is not whole.
  ///
  /// - Parameters:
  ///   - report: gets each finding. Runs on any thread.
  ///   - progress: runs on any thread.
  func verify(
    _ backup: Backup, report: @escaping @Sendable (Finding) -> Void,
    progress: @escaping @Sendable (BackupProgress) -> Void
  ) async throws(MemeError) -> CheckSummary

  /// Makes a backup of the copy. When this returns, that outlives a crash.
  func complete(_ backup: Backup, verifiedAt time: Timestamp) throws(MemeError) -> Backup

  /// Removes what there is of one that is not complete.
  func discard(_ backup: Backup)

  /// Removes one that is complete, for good.
  ///
  /// - Throws: ``MemeError/notFound``.
  func remove(_ backup: Backup) throws(MemeError)

  /// Opens the file of one that is complete. It can be read to its end, though the backup be removed meanwhile.
  ///
  /// - Throws: ``MemeError/notFound``.
  func open(_ backup: Backup) throws(MemeError) -> OpenedFile

  /// Writes an act of an admin into the log of such acts.
  func record(_ entry: AuditEntry) async throws(MemeError)
}
