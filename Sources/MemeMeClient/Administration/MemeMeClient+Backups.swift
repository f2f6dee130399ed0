public import Foundation

extension MemeMeClient {
  public func backups() async throws -> BackupList { try await value(Call(.listBackups)) }

  /// Starts a backup and returns without waiting for it. ``backup(_:)`` returns its progress.
  ///
  /// - Throws: A problem with the code ``Problem/Code/backupRunning`` if another backup is running.
  public func createBackup() async throws -> Backup { try await value(Call(.createBackup)) }

  public func backup(_ id: Backup.ID) async throws -> Backup {
    try await value(Call(.getBackup, "\(id)"))
  }

  /// Permanently deletes a backup. Cancels a running backup and discards a failed one.
  public func deleteBackup(_ id: Backup.ID) async throws {
    try await perform(Call(.deleteBackup, "\(id)"))
  }

  /// Downloads the file of a backup. If the connection is lost, the download resumes.
  ///
  /// - Parameter file: The destination. The file appears when the download is complete and replaces an existing file.
  public func downloadBackup(
    _ id: Backup.ID, to file: URL, progress: DownloadProgress.Handler? = nil
  ) async throws {
    var call = Call(.downloadBackup, "\(id)")
    call.accept = "application/vnd.sqlite3"
    try await download(call, to: file, progress: progress)
  }
}
