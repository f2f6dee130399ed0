package import Memes
package import SQL

/// Waiting events, in the table `events`, for the senders. Each call is one transaction.
///
/// Of several servers, one delivers the events of a connection. It holds a lease, which it renews with each recorded
/// delivery. Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``,
/// ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct EventStore: Sendable {
  /// How long a lease lasts, in milliseconds: longer than the longest delivery, which takes 15 seconds.
  private static let leaseMilliseconds: Int64 = 30_000
  /// The maximum number of events that ``next(of:at:)`` reads.
  package static let batchCount = 64
  /// If the receiver refuses this many events, the connection waits instead of each event.
  package static let maximumRefused = 32
  /// A connection is stopped when this many events wait.
  package static let maximumWaiting = 10_000

  let writer: any Writer
  let readers: any Readers
  /// Names this server in leases.
  private let sender: [UInt8]

  /// - Parameter sender: random, to tell this server from others.
  package init(_ database: any Database, as sender: EventID) {
    (writer, readers) = (database.writer, database.readers)
    self.sender = sender.bytes
  }

  /// Ends the leases that a killed server has left, if no other server can use the database. Otherwise they end by
  /// themselves.
  package func endStaleLeases() async throws {
    try await writer.transaction { db in
      guard db.dialect == .sqlite else { return }
      try db.run(
        "UPDATE connections SET sender = NULL, sender_until = NULL WHERE sender IS NOT NULL")
    }
  }

  /// The running connections that have something to deliver and may begin now, unless another server delivers it. Those
  /// of suspended owners wait.
  package func due(at time: Timestamp) async throws -> [DueConnection] {
    let now = time.millisecondsSince1970
    return try await readers.read { db in
      try db.all(
        Self.dueQuery, now, sender, now + Self.leaseMilliseconds,
        now + RetrySchedule.longestMilliseconds
      ) { row in try DueConnection(&row) }
    }
  }

  /// The connections with events. It visits each one once, however many events it has.
  private static let waiting = """
    WITH RECURSIVE waiting (connection) AS (
      SELECT min(connection) FROM events
      UNION ALL
      SELECT (SELECT min(events.connection) FROM events WHERE events.connection > waiting.connection)
      FROM waiting WHERE waiting.connection IS NOT NULL)
    """

  static let dueQuery = """
    \(waiting)
    SELECT c.seq, c.id, c.name, c.url, c.is_global, users.id, users.role, c.failures,
      c.secret, c.old_secret, c.old_secret_until
    FROM connections AS c JOIN users ON users.seq = c.owner
    WHERE c.seq IN (
        SELECT connection FROM waiting UNION SELECT connection FROM mappings WHERE reloaded IS NOT NULL)
      AND c.state = 0 AND (c.next_attempt_at <= ?1 OR c.next_attempt_at > ?4)
      AND users.suspended_at IS NULL
      AND (c.sender IS NULL OR c.sender = ?2 OR c.sender_until NOT BETWEEN ?1 AND ?3)
    ORDER BY c.seq
    """

  /// Whether a connection has something to deliver now, or must be stopped because ``maximumWaiting`` events wait. It
  /// may have neither, because all of its events wait for refused ones.
  package func hasWork(_ connection: DueConnection, at time: Timestamp) async throws -> Bool {
    if try await !next(of: connection, at: time, limit: 1).isEmpty { return true }
    if try await isReloading(connection) { return true }
    return try await waitingCount(of: connection) >= Self.maximumWaiting
  }

  /// Takes the lease of a connection.
  ///
  /// - Returns: whether this server may deliver. If not, another one does, or the connection is not running.
  package func take(_ connection: DueConnection, at time: Timestamp) async throws -> Bool {
    let now = time.millisecondsSince1970
    return try await writer.transaction { db in
      try db.run(
        """
        UPDATE connections SET sender = ?2, sender_until = ?3
        WHERE seq = ?4 AND state = 0
          AND (sender IS NULL OR sender = ?2 OR sender_until NOT BETWEEN ?1 AND ?3)
        """, now, sender, now + Self.leaseMilliseconds, connection.number) > 0
    }
  }

  /// Ends the lease.
  package func release(_ connection: DueConnection) async throws {
    try await writer.transaction { db in
      try db.run(
        "UPDATE connections SET sender = NULL, sender_until = NULL WHERE seq = ? AND sender = ?",
        connection.number, sender)
    }
  }

  /// The next events of a running connection, in order. An event waits for an earlier one of its subject that the
  /// receiver has refused. Empty if the secret or the URL of the connection has changed: this sender would use the ones
  /// before.
  package func next(
    of connection: DueConnection, at time: Timestamp, limit: Int = Self.batchCount
  ) async throws -> [Event] {
    try await readers.read { db in
      try db.all(
        Self.nextQuery, connection.number, time.millisecondsSince1970, limit,
        connection.secret, connection.url.text,
        time.millisecondsSince1970 + RetrySchedule.longestMilliseconds
      ) { row in try Event(&row) }
    }
  }

  static let nextQuery = """
    SELECT e.seq, e.id, e.kind, e.subject, e.item, e.is_reload, e.happened_at, e.refusals, m.id,
      actors.id, actors.username, actors.display_name, actors.avatar,
      people.id, people.username, people.display_name, people.avatar, \(mappingTermsColumns)
    FROM events AS e
    JOIN connections AS c ON c.seq = e.connection
    JOIN mappings AS m ON m.seq = e.mapping
    LEFT JOIN users AS authors ON authors.seq = m.author
    LEFT JOIN users AS actors ON actors.seq = e.actor AND \(isShown("actors.seq"))
    LEFT JOIN users AS people ON e.kind IN (\(EventKind.followCreated.number), \(EventKind.userCreated.number))
      AND people.id = e.subject AND \(isShown("people.seq"))
    WHERE e.connection = ?1 AND (e.next_attempt_at <= ?2 OR e.next_attempt_at > ?6)
      AND c.state = 0 AND c.secret = ?4 AND c.url = ?5
      AND NOT EXISTS (
        SELECT 1 FROM events AS earlier
        WHERE earlier.connection = e.connection AND earlier.subject = e.subject AND earlier.seq < e.seq
          AND earlier.refusals > 0)
    ORDER BY e.seq LIMIT ?3
    """

  /// Whether an event still waits, and its mapping has the same terms as when ``next(of:at:limit:)`` read it.
  package func isCurrent(_ event: Event) async throws -> Bool {
    let terms = try await readers.read { db in
      try db.first(
        """
        SELECT \(mappingTermsColumns) FROM events AS e JOIN mappings AS m ON m.seq = e.mapping
        LEFT JOIN users AS authors ON authors.seq = m.author WHERE e.seq = ?
        """, event.number
      ) { row in try Mapping.Terms(&row) }
    }
    return terms == event.terms
  }

  /// Whether a connection `c` may name a person: one for all shows what strangers see, any other what its owner sees.
  private static func isShown(_ person: String) -> String {
    "(c.is_global OR NOT \(AccessPolicy.isBlockedEitherWay(person, and: "c.owner")))"
  }

  /// What becomes of an event after an attempt.
  package enum Fate: Sendable {
    case delivered, givenUp
    /// The receiver refused it. It is tried again.
    case refused(until: Timestamp)
    /// The receiver could not be reached, or accepts nothing now. The connection waits.
    case postponed(until: Timestamp)
  }

  /// An attempt and its result.
  package struct Result: Sendable {
    package let event: Event
    package let delivery: DeliveryID
    package let fate: Fate
    package let attempt: Delivery.Attempt

    package init(_ event: Event, _ delivery: DeliveryID, _ fate: Fate, _ attempt: Delivery.Attempt)
    {
      (self.event, self.delivery, self.fate, self.attempt) = (event, delivery, fate, attempt)
    }
  }

  /// Records attempts. On return, the delivered events are deleted, durably.
  ///
  /// - Returns: whether the connection is still running, and this server's.
  package func record(
    _ results: [Result], of connection: DueConnection, at time: Timestamp
  ) async throws -> Bool {
    let (number, sender) = (connection.number, sender)
    return try await writer.transaction { db in
      try db.lock(connections: [number])
      let found: Bool? = try db.value(
        "SELECT coalesce(sender = ?, FALSE) FROM connections WHERE seq = ?", sender, number)
      // The log of a connection that was deleted in the meantime would refer to nothing.
      guard let isSender = found else { return false }
      for result in results {
        try apply(result, to: number, isSender, in: db)
        try log(result, of: number, in: db)
      }
      try db.run(
        """
        DELETE FROM deliveries WHERE connection = ?1 AND seq <= (
          SELECT seq FROM deliveries WHERE connection = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)
        """, number, Delivery.keptCount)
      return try db.run(
        "UPDATE connections SET sender_until = ? WHERE seq = ? AND sender = ? AND state = 0",
        time.millisecondsSince1970 + Self.leaseMilliseconds, number, sender) > 0
    }
  }

  /// Stops a connection, if this server still has the lease. Its waiting events stay, and no new ones are recorded.
  ///
  /// - Returns: whether it was running.
  package func stop(_ connection: DueConnection, because error: String) async throws -> Bool {
    try await writer.transaction { db in
      try db.run(
        """
        UPDATE connections SET state = ?, last_error = ? WHERE seq = ? AND state = 0 AND sender = ?
        """, Connection.State.stopped.rawValue, error, connection.number, sender) > 0
    }
  }

  /// Stops the connections for which ``maximumWaiting`` events wait and that deliver none now: their owners paused them
  /// or are suspended, or attempts fail again and again. Their waiting events stay, and no new ones are recorded.
  ///
  /// - Parameter isOff: whether no connection delivers anything, because connections are off.
  /// - Returns: the stopped connections and their owners.
  package func stopOverfull(
    because error: String, isOff: Bool
  ) async throws -> [(id: ConnectionID, owner: UserID)] {
    let found = try await readers.read { db in
      try db.all(Self.overfullQuery, Self.maximumWaiting - 1, isOff) { row in
        (number: try row.next() as Int64, state: try row.next() as Int)
      }
    }
    guard !found.isEmpty else { return [] }
    return try await writer.transaction { db in
      try db.lock(connections: found.map(\.number))
      return try found.flatMap { connection in
        // Not if its owner has resumed or restarted it in the meantime, or a delivery has succeeded.
        try db.all(
          """
          UPDATE connections SET state = ?1, last_error = ?2 WHERE seq = ?3 AND state = ?4
            AND (state = 1 OR ?5 OR failures > 1
              OR EXISTS (SELECT 1 FROM users WHERE users.seq = owner AND suspended_at IS NOT NULL))
          RETURNING id, (SELECT users.id FROM users WHERE users.seq = owner)
          """, Connection.State.stopped.rawValue, error, connection.number, connection.state, isOff
        ) { row in (id: ConnectionID(try row.nextUUID()), owner: UserID(try row.nextUUID())) }
      }
    }
  }

  static let overfullQuery = """
    \(waiting)
    SELECT c.seq, c.state FROM connections AS c JOIN users ON users.seq = c.owner
    WHERE c.seq IN (SELECT connection FROM waiting)
      AND (c.state = 1 OR c.state = 0 AND (?2 OR c.failures > 1 OR users.suspended_at IS NOT NULL))
      AND (SELECT 1 FROM events WHERE events.connection = c.seq LIMIT 1 OFFSET ?1) IS NOT NULL
    ORDER BY c.seq
    """

  /// The number of waiting events that the receiver has refused, up to ``maximumRefused``.
  package func refusedCount(of connection: DueConnection) async throws -> Int {
    try await count(of: connection, where: "refusals > 0", upTo: Self.maximumRefused)
  }

  /// The number of waiting events, up to ``maximumWaiting``.
  package func waitingCount(of connection: DueConnection) async throws -> Int {
    try await count(of: connection, where: "TRUE", upTo: Self.maximumWaiting)
  }

  private func count(
    of connection: DueConnection, where condition: String, upTo most: Int
  ) async throws -> Int {
    try await readers.read { db in
      try db.value(
        """
        SELECT count(*) FROM (
          SELECT 1 FROM events WHERE connection = ? AND \(condition) LIMIT ?) AS waiting
        """, connection.number, most) ?? 0
    }
  }

  /// Gives up one batch of events that are too old.
  ///
  /// - Returns: the number of events; 0 if nothing is left to do.
  package func purgeEvents(at time: Timestamp, _ batch: PurgeBatch) async throws -> Int {
    let horizon = time.millisecondsSince1970 - RetrySchedule.keptMilliseconds
    return try await writer.transaction { db in
      let old = try db.all(
        "SELECT seq, connection FROM events WHERE happened_at < ? ORDER BY happened_at LIMIT ?",
        horizon, batch.count
      ) { row in (number: try row.next() as Int64, connection: try row.next() as Int64) }
      let events = Dictionary(grouping: old, by: \.connection)
      try db.lock(connections: Array(events.keys))
      for (connection, events) in events {
        // Another server may have deleted some of them.
        let deleted = try events.reduce(0) {
          try $0 + db.run("DELETE FROM events WHERE seq = ?", $1.number)
        }
        try db.run("UPDATE connections SET failed = failed + ? WHERE seq = ?", deleted, connection)
      }
      return old.count
    }
  }
}

/// - Parameter isSender: whether this server still has the lease. Otherwise, the server that deletes an event counts
///   it, and a failure does not count: another server delivers, or the owner has changed the URL or restarted.
private func apply(
  _ result: EventStore.Result, to connection: Int64, _ isSender: Bool,
  in db: borrowing Transaction
) throws {
  /// - Returns: 1 if the event is to be counted, also if its mapping was deleted or no longer has its kind. Other
  ///   transactions that delete events count them.
  func delete() throws -> Int {
    let deleted = try db.run("DELETE FROM events WHERE seq = ?", result.event.number)
    guard deleted == 0, isSender else { return deleted }
    let bit = 1 << result.event.kind.number
    let mapping = try db.first(
      "SELECT 1 FROM mappings WHERE id = ? AND (events & ?) > 0", result.event.mapping.bytes, bit
    ) { _ in true }
    return mapping == nil ? 1 : 0
  }
  /// The receiver answers, so the connection itself does not fail.
  func refuse(counting givenUp: Int) throws {
    try db.run(
      """
      UPDATE connections SET failed = failed + ?, failures = 0, next_attempt_at = 0, last_error = ?
      WHERE seq = ?
      """, givenUp, result.attempt.error, connection)
  }
  switch result.fate {
  case .givenUp where !isSender, .refused where !isSender, .postponed where !isSender: break
  case .delivered:
    try db.run(
      """
      UPDATE connections SET delivered = delivered + ?, last_delivery_at = ?, failures = 0,
        next_attempt_at = 0, last_error = NULL WHERE seq = ?
      """, delete(), result.attempt.at.millisecondsSince1970, connection)
  case .givenUp:
    try refuse(counting: delete())
  case .refused(let time):
    try db.run(
      "UPDATE events SET refusals = refusals + 1, next_attempt_at = ? WHERE seq = ?",
      time.millisecondsSince1970, result.event.number)
    try refuse(counting: 0)
  case .postponed(let time):
    try db.run(
      """
      UPDATE connections SET failures = failures + 1, next_attempt_at = ?, last_error = ?
      WHERE seq = ?
      """, time.millisecondsSince1970, result.attempt.error, connection)
  }
}

private func log(
  _ result: EventStore.Result, of connection: Int64, in db: borrowing Transaction
) throws {
  let (event, attempt) = (result.event, result.attempt)
  let outcome: Delivery.Outcome =
    switch result.fate {
    case .delivered: .delivered
    case .givenUp: .givenUp
    case .refused, .postponed: .failed
    }
  try db.run(
    """
    INSERT INTO deliveries (id, connection, mapping, event, kind, subject, item, actor, outcome,
      status, error, head, milliseconds, attempted_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT seq FROM users WHERE id = ?), ?, ?, ?, ?, ?, ?)
    """,
    result.delivery.bytes, connection, event.mapping.bytes, event.id.bytes, event.kind.number,
    event.subject.bytes, event.comment?.bytes, event.actor?.id.bytes, outcome.rawValue,
    attempt.status, attempt.error, attempt.head, attempt.milliseconds,
    attempt.at.millisecondsSince1970)
}

extension DueConnection {
  /// Decodes the columns of ``EventStore/dueQuery``.
  fileprivate init(_ row: inout Row) throws {
    let (number, id) = (try row.next() as Int64, ConnectionID(try row.nextUUID()))
    let terms = Connection.Terms(
      name: TokenName(stored: try row.next()), url: RemoteURL(stored: try row.next()),
      scope: try row.next() ? .all : .own)
    let (owner, role) = (UserID(try row.nextUUID()), try Role(&row))
    let failures: Int = try row.next()
    let (secret, old): ([UInt8], [UInt8]?) = (try row.next(), try row.next())
    let until = try row.nextOptionalTimestamp()
    self.init(
      number: number, id: id, terms, owner: owner, role: role, secret: secret,
      oldSecret: old.flatMap { old in until.map { (old, $0) } }, failures: failures)
  }
}

extension Event {
  /// Decodes the columns of ``EventStore/nextQuery``.
  fileprivate init(_ row: inout Row) throws {
    let (number, id) = (try row.next() as Int64, EventID(try row.nextUUID()))
    let kind = EventKind(number: try row.next())
    let subject = try row.nextUUID()
    let comment: CommentID? =
      if try row.isNextNull {
        try {
          try row.skip(1); return nil
        }()
      } else { CommentID(try row.nextUUID()) }
    let (isReload, happenedAt) = (try row.next() as Bool, try row.nextTimestamp())
    let (refusals, mapping) = (try row.next() as Int, MappingID(try row.nextUUID()))
    let people = (actor: try row.nextAuthor(), person: try row.nextAuthor())
    guard let kind else { throw DatabaseError(.mismatch, "Unknown event in the database.") }
    self.init(
      number: number, id: id, kind: kind, subject: subject, comment: comment, people: people,
      isReload: isReload, happenedAt: happenedAt, refusals: refusals,
      of: (mapping, try Mapping.Terms(&row)))
  }
}
