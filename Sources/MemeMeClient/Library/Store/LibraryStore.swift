import Foundation
package import SQLite

/// What a library keeps on the disk: one database, so that what belongs together is written together.
///
/// Whatever changes it is one transaction, durable when the call returns, and all or nothing whoever is killed when. SQL of the
/// library is in the extensions of this type and nowhere else. Safe to use from any thread.
struct LibraryStore: Sendable {
  private let folder: LibraryFolder
  private let database: Database
  private let now: @Sendable () -> Date

  /// - Parameter now: the clock.
  init(folder: LibraryFolder, now: @escaping @Sendable () -> Date) throws(LibraryError) {
    (self.folder, self.now) = (folder, now)
    let migrator = Migrator(applicationID: Self.applicationID, migrations: Self.migrations)
    do throws(MigrationError) {
      database = try Database(path: folder.database, migrator: migrator, readers: 4)
    } catch { throw LibraryError(error) }
  }

  /// Closes the database once what was asked for is done, and lets others into the folder.
  func close() async {
    await database.close()
    folder.unlock()
  }

  /// What transactions see of the store.
  typealias Access = Transaction<LibraryError>

  @discardableResult
  func write<Value: Sendable>(
    bytes: Int = 0, _ body: @escaping @Sendable (borrowing Access) throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    try await database.writer.transaction(bytes: bytes, body)
  }

  func read<Value>(
    _ body: (borrowing Access) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    try database.readers.read(body)
  }

  /// Now, in milliseconds since 1970.
  var milliseconds: Int64 { now().milliseconds }
}

extension LibraryError: SQLiteFailure {
  package init(_ error: SQLiteError) {
    self = error.isForWantOfDisk ? .diskFull : .storage(error.description)
  }

  fileprivate init(_ error: MigrationError) {
    switch error {
    case .unreadable(let error): self = .unusable("It is damaged: \(error)")
    case .foreign: self = .unusable("It is a database of something else.")
    case .newer: self = .unusable("A newer version of the app has used it.")
    case .outdated, .changed: self = .unusable("Its schema is not the one that is known.")
    case .failed(_, let error), .unusable(let error):
      self = error.isForWantOfDisk ? .diskFull : .unusable(error.description)
    }
  }
}
