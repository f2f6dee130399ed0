public import Foundation

extension MemeMeClient {
  public func backups() async throws -> BackupList { try await value(Call(.listBackups)) }

  /// Has a backup made, which goes on when this returns: ``backup(_:)`` tells how far it is.
  ///
  /// - Throws: the problem ``Problem/Code/backupRunning`` where one is being made.
  public func createBackup() async throws -> Backup { try await value(Call(.createBackup)) }

  public func backup(_ id: Backup.ID) async throws -> Backup {
    try await value(Call(.getBackup, "\(id)"))
  }

  /// Removes a backup for good, gives up one that is being made, or forgets one that failed.
  public func deleteBackup(_ id: Backup.ID) async throws {
    try await perform(Call(.deleteBackup, "\(id)"))
  }

  /// Fetches a backup's file. Where the connection is cut it goes on where it was.
  ///
  /// - Parameter file: where it is to be. There is nothing before all of it has come; what was there is replaced.
  public func downloadBackup(
    _ id: Backup.ID, to file: URL, progress: DownloadProgress.Handler? = nil
  ) async throws {
    var call = Call(.downloadBackup, "\(id)")
    call.accept = "application/vnd.sqlite3"
    try await download(call, to: file, progress: progress)
  }
}
