import SQL

/// Why a move did not finish. The source is unchanged.
package enum MoveFailure: Error {
  /// The target holds data.
  case notEmpty(String)
  /// The target holds an unfinished move of another installation.
  case anotherMove
  /// The data folder has a secret key that is not that of the database.
  case anotherKey(String)
  /// A server was started with the target during the move.
  case inUse
  /// The object store cannot be used.
  case bucket(String)
  /// Pictures of the source whose bytes are missing or damaged.
  case brokenPictures(Int)
  /// The rows of a table cannot be copied.
  case table(String, String)
  /// The copied rows of a table are not those of the source.
  case differs(String)

  /// Whether nothing was written, and the same command cannot succeed.
  package var isRefusal: Bool {
    switch self {
    case .notEmpty, .anotherMove, .anotherKey: true
    case .inUse, .bucket, .brokenPictures, .table, .differs: false
    }
  }

  static func reading<Value>(_ table: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      throw MoveFailure.table(table, "cannot read the rows: \(error)")
    }
  }

  static func writing<Value>(_ table: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError where error.code == .constraint {
      throw MoveFailure.table(
        table,
        "a row violates a rule of the database (\(error)). Run mememe check --repair on the source")
    } catch let error as DatabaseError {
      throw MoveFailure.table(table, "cannot write the rows: \(error)")
    }
  }
}

extension MoveFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notEmpty(let place): "the target is not empty: \(place). Choose an empty one"
    case .anotherMove:
      "the target holds an unfinished move of another installation. Choose an empty one"
    case .anotherKey(let path):
      "\(path) is not the secret key of the source. Choose an empty folder"
    case .inUse: "a server was started with the target during the move"
    case .bucket(let problem): problem
    case .brokenPictures(let count):
      """
      the source has \(count) broken \(count == 1 ? "picture" : "pictures"). Run mememe check --repair on it, then \
      move again
      """
    case .table(let name, let problem): "table \(name): \(problem)"
    case .differs(let name): "the copied rows of table \(name) differ from those of the source"
    }
  }
}
