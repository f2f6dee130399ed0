package import SQL

/// A migrated database on a PostgreSQL server.
package struct PostgreSQLDatabase: Database {
  package let readers: PostgreSQLReaders
  package let writer: PostgreSQLWriter
  private let connections: Connections

  /// Connects, and migrates the database. Other servers may do the same at the same moment.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of connections.
  ///   - failure: maps an error of the engine to the error that reads and transactions throw.
  package init(
    _ address: ServerAddress, migrator: ServerMigrator, connections limit: Int = 8,
    failure: @escaping FailureMap = { $0 }
  ) throws(UnusableServer) {
    try migrator.migrate(address)
    self.init(address, connections: limit, failure: failure)
  }

  /// Connects, and migrates the database, for a process that fills it and keeps others from it.
  ///
  /// - Parameters:
  ///   - table: has rows if the database holds an installation, which is then refused and not changed.
  ///   - statementTimeout: the time after which PostgreSQL ends a statement.
  package init(
    locked lock: MigrationLock, migrator: ServerMigrator, refusingRowsOf table: String,
    connections limit: Int, statementTimeout: Duration, failure: @escaping FailureMap
  ) throws(UnusableServer) {
    try migrator.migrate(lock, refusingRowsOf: table)
    self.init(
      lock.address, connections: limit, statementTimeout: statementTimeout, failure: failure)
  }

  /// Connects to a database that a server has migrated, and changes nothing.
  ///
  /// - Parameter statementTimeout: the time after which PostgreSQL ends a statement.
  package init(
    migrated address: ServerAddress, migrator: ServerMigrator, connections limit: Int,
    statementTimeout: Duration = usualTimeout, failure: @escaping FailureMap
  ) throws(UnusableServer) {
    try migrator.check(address)
    self.init(
      address, connections: limit, statementTimeout: statementTimeout, failure: failure)
  }

  /// Longer than any statement of a request should take.
  package static let usualTimeout = Duration.seconds(5)

  /// The same database through connections of their own, for work that must not wait for others.
  package func reserving(connections limit: Int) -> PostgreSQLDatabase {
    PostgreSQLDatabase(connections.address, connections: limit, failure: readers.failure)
  }

  /// How many transactions run, and wait for a connection.
  package var load: (reads: Int, writes: Int, waiting: Int) { connections.turns.load }

  private init(
    _ address: ServerAddress, connections limit: Int, statementTimeout: Duration = usualTimeout,
    failure: @escaping FailureMap
  ) {
    connections = Connections(
      address, limits: Turns.Limits(connections: max(1, limit)),
      statementTimeout: statementTimeout)
    readers = PostgreSQLReaders(connections, failure: failure)
    writer = PostgreSQLWriter(connections, failure: failure)
  }

  /// Closes the connections that are not in use.
  package func close() { connections.closeIdle() }
}

/// Transactions that read.
package final class PostgreSQLReaders: Readers {
  private let connections: Connections
  private let long = LongReads()
  let failure: FailureMap

  init(_ connections: Connections, failure: @escaping FailureMap) {
    (self.connections, self.failure) = (connections, failure)
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    let outcome = await connections.turns.run(.read) { [connections] in
      Result { try connections.transaction(.read, body) }
    }
    return try mapping(outcome ?? .failure(Turns.refusal))
  }

  package func blockingRead<Value>(_ body: (borrowing Transaction) throws -> Value) throws -> Value
  {
    do {
      return try connections.turns.runBlocking(.read) {
        try connections.transaction(.read, body)
      }
    } catch let error as DatabaseError { throw failure(error) }
  }

  package func readLong<Value: Sendable>(
    for caller: String?, _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    let outcome = await long.run(for: caller) { [self] in
      Result { try blockingRead(body) }
    }
    guard let outcome else {
      throw failure(DatabaseError(.busy, "too many long reads are waiting"))
    }
    return try outcome.get()
  }

  private func mapping<Value>(_ outcome: Result<Value, any Error>) throws -> Value {
    do { return try outcome.get() } catch let error as DatabaseError { throw failure(error) }
  }
}

extension PostgreSQLWriter {
  /// Runs `body` in a transaction, on the calling thread, which blocks until then. For threads that may wait.
  ///
  /// - Parameter body: may run again after a rollback, so it must have no other side effects.
  package func blockingTransaction<Value>(
    _ body: (borrowing Transaction) throws -> Value
  ) throws -> Value {
    do {
      return try connections.turns.runBlocking(.write) {
        try connections.transaction(.write, body)
      }
    } catch let error as DatabaseError { throw failure(error) }
  }
}

/// Transactions that write.
package final class PostgreSQLWriter: Writer {
  private let connections: Connections
  private let failure: FailureMap

  init(_ connections: Connections, failure: @escaping FailureMap) {
    (self.connections, self.failure) = (connections, failure)
  }

  @discardableResult
  package func transaction<Value: Sendable>(
    bytes: Int, whenDurable: @escaping @Sendable (Value) -> Void,
    _ body: @escaping @Sendable (borrowing Transaction) throws -> Value
  ) async throws -> Value {
    let outcome = await connections.turns.run(.write) { [connections] in
      Result { try connections.transaction(.write, body) }
    }
    do {
      let value = try (outcome ?? .failure(Turns.refusal)).get()
      whenDurable(value)
      return value
    } catch let error as DatabaseError { throw failure(error) }
  }
}
