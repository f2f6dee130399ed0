import Foundation
package import SQL
import SQLite

/// The data of a library on the disk, in one database so that related changes are atomic.
///
/// Every change is one transaction. It is durable when the call returns, and atomic even if the process is killed. The
/// SQL of the library is in extensions of this type only. Safe to use from any thread.
struct LibraryStore: Sendable {
  private let folder: LibraryFolder
  private let database: SQLiteDatabase
  private let now: @Sendable () -> Date

  /// - Parameter now: The clock.
  init(folder: LibraryFolder, now: @escaping @Sendable () -> Date) throws(LibraryError) {
    (self.folder, self.now) = (folder, now)
    let migrator = Migrator(applicationID: Self.applicationID, migrations: Self.migrations)
    do throws(MigrationError) {
      database = try SQLiteDatabase(path: folder.database, migrator: migrator, readers: 4)
    } catch { throw LibraryError(error) }
  }

  /// Closes the database after pending operations have finished, and releases the lock of the folder.
  func close() async {
    await database.close()
    folder.unlock()
  }

  /// Access to the database within a transaction.
  typealias Access = Transaction

  @discardableResult
  func write<Value: Sendable>(
    bytes: Int = 0, _ body: @escaping @Sendable (borrowing Access) throws -> Value
  ) async throws(LibraryError) -> Value {
    do { return try await database.writer.transaction(bytes: bytes, body) } catch {
      throw LibraryError(error)
    }
  }

  func read<Value>(_ body: (borrowing Access) throws -> Value) throws(LibraryError) -> Value {
    do { return try database.readers.blockingRead(body) } catch { throw LibraryError(error) }
  }

  /// The current time in milliseconds since 1970.
  var milliseconds: Int64 { now().milliseconds }
}

extension LibraryError {
  package init(_ error: DatabaseError) {
    self = error.isDiskFull ? .diskFull : .storage(error.description)
  }

  /// The error of a transaction: the body's own, or SQLite's.
  fileprivate init(_ error: any Error) {
    self = error as? LibraryError ?? LibraryError(DatabaseError(error))
  }

  fileprivate init(_ error: MigrationError) {
    switch error {
    case .unreadable(let error): self = .unusable("The database is corrupt: \(error)")
    case .foreign, .unfinished: self = .unusable("The database belongs to another program.")
    case .newer: self = .unusable("A newer version of the app has upgraded it.")
    case .outdated, .changed: self = .unusable("Its schema is unknown.")
    case .failed(_, let error), .unusable(let error):
      self = error.isDiskFull ? .diskFull : .unusable(error.description)
    }
  }
}
