package import Memes
import SQL

extension ConnectionStore {
  /// A page of the attempts of a connection, newest first.
  package func deliveries(
    of id: ConnectionID, for viewer: Principal, after position: ListPosition?, limit: Int
  ) async throws -> Page<Delivery> {
    try await readers.read { db in
      let number: Int64? = try db.value(
        Self.ownedQuery, viewer.person?.bytes, viewer.isAdmin, id.bytes)
      guard let number else { throw MemeError.notFound }
      return try Page(limit: limit) { limit, note in
        try db.all(Self.deliveriesQuery, number, position?.sequence ?? .max, limit) { row in
          note(try row.next())
          return try Delivery(&row)
        }
      }
    }
  }

  static let deliveriesQuery = """
    SELECT seq, id, event, kind, mapping, subject, outcome, status, head, error, milliseconds, attempted_at
    FROM deliveries WHERE connection = ? AND seq < ? ORDER BY seq DESC LIMIT ?
    """

  /// Records the event of a delivery again, or makes it due now if it is still waiting.
  ///
  /// - Throws: ``MemeError/notFound``, also if the mapping was deleted; ``MemeError/connectionStopped``.
  package func retry(
    _ id: DeliveryID, by viewer: Principal, at time: Timestamp
  ) async throws -> Connection {
    try await writer.transaction { db in
      let found = try db.first(
        """
        SELECT c.id, d.event, m.seq, c.state FROM deliveries AS d
        JOIN connections AS c ON c.seq = d.connection
        JOIN mappings AS m ON m.id = d.mapping AND m.connection = d.connection
        WHERE d.id = ?
        """, id.bytes
      ) { row in
        (
          connection: ConnectionID(try row.nextUUID()), event: EventID(try row.nextUUID()),
          mapping: try row.next() as Int64, state: try row.next() as Int
        )
      }
      guard let found else { throw MemeError.notFound }
      let number = try ownedConnection(found.connection, by: viewer, in: db)
      guard found.state != Connection.State.stopped.rawValue else {
        throw MemeError.connectionStopped
      }
      let waiting = try db.run(
        "UPDATE events SET next_attempt_at = 0 WHERE connection = ? AND id = ?", number,
        found.event.bytes)
      if waiting == 0 {
        try db.run(
          """
          INSERT INTO events (id, connection, mapping, kind, subject, item, actor, happened_at)
          SELECT event, connection, ?, kind, subject, item, actor, ? FROM deliveries WHERE id = ?
          """, found.mapping, time.millisecondsSince1970, id.bytes)
      }
      return try visibleConnection(found.connection, for: viewer, in: db)
    }
  }
}

extension Delivery {
  /// Decodes the columns of ``ConnectionStore/deliveriesQuery`` after the number.
  fileprivate init(_ row: inout Row) throws {
    let (id, event) = (DeliveryID(try row.nextUUID()), EventID(try row.nextUUID()))
    let kind = EventKind(number: try row.next())
    let (mapping, subject) = (MappingID(try row.nextUUID()), MemeID(try row.nextUUID()))
    guard let kind, let outcome = Outcome(rawValue: try row.next()) else {
      throw DatabaseError(.mismatch, "Unknown delivery in the database.")
    }
    let (status, head): (Int?, String?) = (try row.next(), try row.next())
    self.init(
      id: id, event: event, kind: kind, mapping: mapping, meme: kind.isOfMeme ? subject : nil,
      outcome: outcome,
      attempt: Attempt(
        status: status, head: head, error: try row.next(), milliseconds: try row.next(),
        at: try row.nextTimestamp()))
  }
}
