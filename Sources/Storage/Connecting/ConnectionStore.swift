package import Memes
package import SQL

/// Connections and their mappings, in the tables `connections` and `mappings`. Each call is one transaction.
///
/// A user sees and changes their own connections, an admin also those of other admins with the scope `all`. For
/// others they do not exist. Reads run on the calling thread, writes on the writer thread. Every method may throw
/// ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``; those about one connection or mapping also ``MemeError/notFound``, and those that change
/// one ``MemeError/forbidden`` if it has the scope `all` and the viewer has no admin rights.
package struct ConnectionStore: Sendable {
  let writer: any Writer
  let readers: any Readers

  package init(_ database: any Database) { (writer, readers) = (database.writer, database.readers) }

  /// Stores a connection. On return, it is durable.
  ///
  /// - Parameter secret: encrypted.
  /// - Throws: ``MemeError/tooManyConnections``; ``MemeError/forbidden`` if the account may not have it;
  ///   ``MemeError/unauthorized`` if the account was deleted; ``MemeError/suspended``.
  package func insert(
    _ id: ConnectionID, _ terms: Connection.Terms, secret: [UInt8], by viewer: Principal,
    in mode: ConnectionMode, at time: Timestamp
  ) async throws -> Connection {
    try await writer.transaction { db in
      let owner = try lockedOwner(viewer, in: mode, db)
      guard owner.role == .admin || terms.scope == .own else { throw MemeError.forbidden }
      let count: Int? =
        owner.role == .admin
        ? try db.value(Self.adminsCount)
        : try db.value("SELECT count(*) FROM connections WHERE owner = ?", owner.number)
      let most =
        owner.role == .admin ? Connection.maximumOfAdmins : Connection.maximumOfMember
      guard count ?? 0 < most else { throw MemeError.tooManyConnections }
      try db.run(
        """
        INSERT INTO connections (id, owner, name, url, is_global, secret, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        id.bytes, owner.number, terms.name.text, terms.url.text, terms.scope == .all, secret,
        time.millisecondsSince1970)
      return try visibleConnection(id, for: viewer, in: db)
    }
  }

  private static let adminsCount = """
    SELECT count(*) FROM connections JOIN users ON users.seq = owner
    WHERE users.role = \(Role.admin.number)
    """

  /// The connections of the viewer, oldest first.
  package func connections(for viewer: Principal) async throws -> [Connection] {
    try await readers.read { db in
      let found = try db.all(
        Self.listQuery, viewer.person?.bytes, viewer.isAdmin,
        Connection.maximumOfAdmins + Connection.maximumOfMember
      ) { row in (number: try row.next() as Int64, try ConnectionRow(&row)) }
      return try found.map { number, row in
        row.connection(with: try storedMappings(of: number, row.id, in: db))
      }
    }
  }

  package func connection(
    _ id: ConnectionID, for viewer: Principal
  ) async throws -> Connection {
    try await readers.read { db in try visibleConnection(id, for: viewer, in: db) }
  }

  /// Changes the name, the URL or both.
  package func change(
    _ id: ConnectionID, name: TokenName?, url: RemoteURL?, by viewer: Principal
  ) async throws -> Connection {
    try await update(id, by: viewer) { number, db in
      if let url {
        // What became of deliveries to the former URL says nothing about the new one.
        let moved = try db.run(
          """
          UPDATE connections SET failures = 0, next_attempt_at = 0, sender = NULL, sender_until = NULL
          WHERE seq = ? AND url <> ?
          """, number, url.text)
        if moved > 0 { try retryRefused(of: number, in: db) }
      }
      try db.run(
        "UPDATE connections SET name = coalesce(?, name), url = coalesce(?, url) WHERE seq = ?",
        name?.text, url?.text, number)
    }
  }

  /// Replaces the secret. The one before it also signs until the time.
  ///
  /// - Parameter secret: encrypted.
  package func setSecret(
    _ secret: [UInt8], of id: ConnectionID, keepingOldUntil time: Timestamp, by viewer: Principal
  ) async throws -> Connection {
    try await update(id, by: viewer) { number, db in
      try db.run(
        """
        UPDATE connections SET old_secret = secret, old_secret_until = ?, secret = ? WHERE seq = ?
        """, time.millisecondsSince1970, secret, number)
    }
  }

  /// Pauses a connection. Events are still recorded.
  ///
  /// - Throws: ``MemeError/connectionStopped``.
  package func pause(_ id: ConnectionID, by viewer: Principal) async throws -> Connection {
    try await move(id, to: .paused, by: viewer)
  }

  /// Resumes a paused connection.
  ///
  /// - Throws: ``MemeError/connectionStopped``.
  package func resume(_ id: ConnectionID, by viewer: Principal) async throws -> Connection {
    try await move(id, to: .running, by: viewer)
  }

  /// Starts a connection in any state, and forgets its failures, also that of a delivery in progress.
  package func restart(_ id: ConnectionID, by viewer: Principal) async throws -> Connection {
    try await update(id, by: viewer) { number, db in
      try db.run(
        """
        UPDATE connections SET state = 0, failures = 0, next_attempt_at = 0, last_error = NULL,
          sender = NULL, sender_until = NULL
        WHERE seq = ?
        """, number)
      try retryRefused(of: number, in: db)
    }
  }

  /// Deletes a connection with its mappings, waiting events and deliveries. On return, no delivery begins.
  package func delete(_ id: ConnectionID, by viewer: Principal) async throws {
    // One transaction for many events would hold up other writers. Without mappings, no new events are recorded.
    while try await !deleteBatch(of: id, by: viewer) {}
  }

  /// - Returns: whether the connection is deleted.
  private func deleteBatch(of id: ConnectionID, by viewer: Principal) async throws -> Bool {
    try await writer.transaction { db in
      let number = try ownedConnection(id, by: viewer, toDelete: true, in: db)
      try db.run(
        "UPDATE connections SET state = \(Connection.State.stopped.rawValue) WHERE seq = ?", number)
      let deleted = try db.run(
        """
        DELETE FROM events WHERE seq IN (
          SELECT seq FROM events WHERE connection = ? ORDER BY seq LIMIT ?)
        """, number, Self.deletedAtOnce)
      guard deleted < Self.deletedAtOnce else { return false }
      try db.run("DELETE FROM connections WHERE seq = ?", number)
      return true
    }
  }

  private static let deletedAtOnce = 5000

  private func move(
    _ id: ConnectionID, to state: Connection.State, by viewer: Principal
  ) async throws -> Connection {
    try await update(id, by: viewer) { number, db in
      let changed = try db.run(
        "UPDATE connections SET state = ? WHERE seq = ? AND state < ?", state.rawValue, number,
        Connection.State.stopped.rawValue)
      guard changed > 0 else { throw MemeError.connectionStopped }
    }
  }

  /// Changes a connection of the viewer.
  func update(
    _ id: ConnectionID, by viewer: Principal,
    _ change: @escaping @Sendable (Int64, borrowing Transaction) throws -> Void
  ) async throws -> Connection {
    try await writer.transaction { db in
      try change(try ownedConnection(id, by: viewer, in: db), db)
      return try visibleConnection(id, for: viewer, in: db)
    }
  }
}

extension ConnectionStore {
  static let listQuery = """
    SELECT c.seq, \(connectionColumns) FROM connections AS c JOIN users ON users.seq = c.owner
    WHERE c.owner = \(AccessPolicy.asking) OR ?2 AND c.is_global
    ORDER BY c.seq LIMIT ?3
    """

  static let ownedQuery = """
    SELECT c.seq, c.is_global FROM connections AS c
    WHERE c.id = ?3 AND (c.owner = \(AccessPolicy.asking) OR ?2 AND c.is_global)
    """

  static let oneQuery = """
    SELECT c.seq, \(connectionColumns) FROM connections AS c JOIN users ON users.seq = c.owner
    WHERE c.id = ?3 AND (c.owner = \(AccessPolicy.asking) OR ?2 AND c.is_global)
    """

  static let mappingsQuery = """
    SELECT \(mappingColumns) FROM mappings AS m LEFT JOIN users AS authors ON authors.seq = m.author
    WHERE m.connection = ? ORDER BY m.seq
    """
}

/// Makes the events due that the receiver has refused.
private func retryRefused(of connection: Int64, in db: borrowing Transaction) throws {
  try db.run(
    "UPDATE events SET next_attempt_at = 0 WHERE connection = ? AND refusals > 0", connection)
}

/// The columns that ``ConnectionRow`` decodes.
private let connectionColumns = """
  c.id, users.username, c.name, c.url, c.is_global, c.created_at, c.state, c.failures,
  c.next_attempt_at, (SELECT count(*) FROM (
    SELECT 1 FROM events WHERE events.connection = c.seq LIMIT \(Connection.maximumLag)) AS waiting),
  c.delivered, c.failed, c.last_delivery_at, c.last_error
  """

private struct ConnectionRow {
  let id: ConnectionID
  private let owner: Username
  private let terms: Connection.Terms
  private let createdAt: Timestamp
  private let state: Connection.State
  private let progress: Connection.Progress

  init(_ row: inout Row) throws {
    id = ConnectionID(try row.nextUUID())
    owner = Username(stored: try row.next())
    terms = Connection.Terms(
      name: TokenName(stored: try row.next()), url: RemoteURL(stored: try row.next()),
      scope: try row.next() ? .all : .own)
    createdAt = try row.nextTimestamp()
    guard let state = Connection.State(rawValue: try row.next()) else {
      throw DatabaseError(.mismatch, "Unknown state of a connection in the database.")
    }
    self.state = state
    progress = Connection.Progress(
      failures: try row.next(), nextAttemptAt: try row.nextTimestamp(), lag: try row.next(),
      delivered: try row.next(), failed: try row.next(),
      lastDelivery: try row.nextOptionalTimestamp(), lastError: try row.next())
  }

  func connection(with mappings: [Mapping]) -> Connection {
    Connection(
      id: id, owner: owner, terms, createdAt: createdAt, state: state, progress: progress,
      mappings: mappings)
  }
}

/// - Throws: ``MemeError/notFound`` if the viewer does not see it.
func visibleConnection(
  _ id: ConnectionID, for viewer: Principal, in db: borrowing Transaction
) throws -> Connection {
  let found = try db.first(
    ConnectionStore.oneQuery, viewer.person?.bytes, viewer.isAdmin, id.bytes
  ) { row in (number: try row.next() as Int64, row: try ConnectionRow(&row)) }
  guard let found else { throw MemeError.notFound }
  return found.row.connection(with: try storedMappings(of: found.number, id, in: db))
}

/// Locks a connection of the viewer.
///
/// - Parameter toDelete: whether a viewer without admin rights may also have one with the scope `all`. Such a viewer is
///   a former admin, or an admin who uses an access token without the scope `admin`.
/// - Returns: the number of its row.
/// - Throws: ``MemeError/notFound``; ``MemeError/forbidden``.
func ownedConnection(
  _ id: ConnectionID, by viewer: Principal, toDelete: Bool = false, in db: borrowing Transaction
) throws -> Int64 {
  try db.lock(ownerOf: id)
  try db.lock(connection: id)
  let found = try db.first(
    ConnectionStore.ownedQuery, viewer.person?.bytes, viewer.isAdmin, id.bytes
  ) { row in (number: try row.next() as Int64, isGlobal: try row.next() as Bool) }
  guard let found else { throw MemeError.notFound }
  guard viewer.isAdmin || toDelete || !found.isGlobal else { throw MemeError.forbidden }
  return found.number
}

/// Locks the account of a new connection's owner, and the number of connections of all admins if it is one.
private func lockedOwner(
  _ viewer: Principal, in mode: ConnectionMode, _ db: borrowing Transaction
) throws -> (number: Int64, role: Role) {
  guard let person = viewer.person else { throw MemeError.forbidden }
  try db.lock(account: person)
  let found = try db.first(
    "SELECT users.seq, \(accountStatusColumns) FROM users WHERE id = ?", person.bytes
  ) { row in (number: try row.next() as Int64, status: try AccountStatus(&row)) }
  guard let found else { throw MemeError.unauthorized }
  guard !found.status.isSuspended else { throw MemeError.suspended }
  let role: Role = viewer.isAdmin ? found.status.role : .member
  guard mode.permits(role) else { throw MemeError.forbidden }
  if role == .admin { try db.lock(named: "connections") }
  return (found.number, role)
}

extension Transaction {
  /// Locks the account of a connection's owner. Accounts are locked first, so that a deletion of the connection and one
  /// of the account do not wait for each other.
  func lock(ownerOf id: ConnectionID) throws {
    try postLock(
      """
      SELECT seq FROM users WHERE seq = (SELECT owner FROM connections WHERE id = ?)
      FOR NO KEY UPDATE
      """, id.bytes)
  }

  /// Locks a connection, so that its mappings are counted and changed by one transaction at a time.
  func lock(connection id: ConnectionID) throws {
    try postLock("SELECT seq FROM connections WHERE id = ? FOR NO KEY UPDATE", id.bytes)
  }
}
