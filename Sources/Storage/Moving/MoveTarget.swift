import Bytes
package import SQL

/// A database that `mememe move` fills. The calling thread blocks in all methods.
package protocol MoveTarget: Sendable {
  /// Where the bytes of its pictures are.
  var blobs: Blobs { get }

  /// Marks the database as unfinished, after it was migrated. Accepts an empty database, and an unfinished move of the
  /// same installation.
  ///
  /// - Parameter source: the epoch of the installation.
  /// - Throws: ``MoveFailure``, if it is a refusal. Nothing has changed then.
  func begin(from source: [UInt8]) throws

  /// Runs `body` in a transaction. The database has no rows then, and no trigger writes any.
  ///
  /// - Parameter body: may run again after a rollback.
  func fill<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value

  /// Runs `body` in a transaction that only reads.
  func read<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value

  /// Runs `body` in a transaction, and takes the mark away with it. Servers can use the database from then on.
  func finish(_ body: (borrowing Transaction) throws -> Void) throws
}
