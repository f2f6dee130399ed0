import Foundation
package import Memes
package import SQL
import Synchronization

/// The changes of a PostgreSQL database, also those that other servers made.
///
/// Every write that users see inserts its changes into the table `happened`, in its transaction. A poll reads the rows
/// that its snapshot sees, and that of the previous poll did not: decision 0085.
package final class HappenedChanges: Sendable {
  private struct State {
    /// What the last poll saw, as text of PostgreSQL's type `pg_snapshot`; `nil` before the first poll.
    var snapshot: String?
    /// When the last successful poll began.
    var lookedAt: ContinuousClock.Instant?
  }

  /// Changes are kept for longer than this.
  private static let longestGap = Duration.milliseconds(ServerStore.keptMilliseconds / 2)

  private let readers: any Readers
  private let state = Mutex(State())

  package init(_ readers: any Readers) { self.readers = readers }

  /// Whether a poll succeeded that began at most this long ago. Otherwise this server may not know of changes.
  package func isFresh(within duration: Duration, at now: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { $0.lookedAt.map { now - $0 <= duration } ?? false }
  }

  /// Whether no poll has succeeded that began at most this long ago, although an earlier one did: the database is out
  /// of reach.
  package func isLost(for duration: Duration, at now: ContinuousClock.Instant = .now) -> Bool {
    state.withLock { $0.lookedAt.map { now - $0 > duration } ?? false }
  }

  /// Reads the changes since the last poll, and tells them. Only one poll may run at a time.
  ///
  /// The first poll tells ``MemeChange/missed``, because a response may have been read and cached before it. So does a
  /// poll after which changes may have been deleted since the last one.
  ///
  /// - Parameter observers: receive each change once, those of one meme or user in their order.
  package func poll(
    telling observers: [any ChangeObserver], at began: ContinuousClock.Instant = .now
  ) async throws {
    let known = state.withLock { $0.snapshot }
    let rows = try await readers.read { db in
      try db.all(Self.query, known) { row in
        (
          snapshot: try row.next() as String, isEarlier: try row.next() as Bool,
          change: try MemeChange(&row)
        )
      }
    }
    let new = state.withLock { state -> [MemeChange] in
      let isGap = state.lookedAt.map { began - $0 > Self.longestGap } ?? false
      state.snapshot = rows.first?.snapshot
      guard rows.first?.isEarlier == false, !isGap else { return [.missed] }
      return rows.compactMap(\.change)
    }
    for change in new { observers.forEach { $0.changed(change) } }
    // Only now: until the caches know the changes, their answers are as old as the poll before.
    state.withLock { $0.lookedAt = began }
  }

  /// The rows of transactions that had not begun at the snapshot `?1`, and of those that were running. However long one
  /// of these runs, no row is read twice.
  ///
  /// The second column is true at the first poll, and for a database that was restored: it counts its transactions from
  /// an earlier number.
  static let query = """
    SELECT CAST(polls.now AS text), coalesce(pg_snapshot_xmax(polls.now) < pg_snapshot_xmax(polls.known), TRUE),
      new.kind, new.meme, new.person
    FROM (SELECT pg_current_snapshot() AS now, CAST(?1 AS pg_snapshot) AS known) AS polls
    LEFT JOIN LATERAL (
      SELECT number, kind, meme, person FROM happened WHERE xid >= pg_snapshot_xmax(polls.known)
      UNION ALL
      SELECT number, kind, meme, person FROM pg_snapshot_xip(polls.known) AS running (id)
      JOIN happened ON happened.xid = running.id
    ) AS new ON TRUE
    ORDER BY new.number
    """
}

/// Inserts changes for the other servers. Does nothing on SQLite, whose only server has been told.
func postChanges(_ changes: [MemeChange], in db: borrowing Transaction) throws {
  guard db.dialect == .postgreSQL else { return }
  for change in changes {
    let (kind, subject, person) = change.row
    try db.post(
      """
      INSERT INTO happened (at, kind, meme, person)
      VALUES (CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint), CAST(? AS smallint), ?, ?)
      """, kind, subject?.bytes, person?.bytes)
  }
}

extension MemeChange {
  /// The columns of ``init(_:)``.
  ///
  /// The column of the meme has the template instead if that is what changed.
  fileprivate var row: (kind: Int, subject: UUID?, person: UserID?) {
    switch self {
    case .created(let meme): (0, meme.uuid, nil)
    case .edited(let meme): (1, meme.uuid, nil)
    case .claimed(let meme): (2, meme.uuid, nil)
    case .deleted(let meme): (3, meme.uuid, nil)
    case .restored(let meme): (4, meme.uuid, nil)
    case .counted(let meme): (5, meme.uuid, nil)
    case .purged(let meme): (6, meme.uuid, nil)
    case .sequenced(let person): (7, nil, person)
    case .signedOut(let person): (8, nil, person)
    case .templateChanged(let template): (10, template.uuid, nil)
    // Only a poll finds out that it missed some.
    case .many, .missed: (9, nil, nil)
    }
  }

  /// Decodes the kind, the meme or template, and the person; `nil` if the row has none.
  ///
  /// A kind that this program does not know comes from a newer server. It may concern any meme.
  fileprivate init?(_ row: inout Row) throws {
    let kind: Int? = try row.next()
    let subject = try row.isNextNull ? nil : row.nextUUID()
    if subject == nil { try row.skip(1) }
    let person = try row.isNextNull ? nil : UserID(row.nextUUID())
    switch (kind, subject, person) {
    case (nil, _, _): return nil
    case (0, let id?, _): self = .created(MemeID(id))
    case (1, let id?, _): self = .edited(MemeID(id))
    case (2, let id?, _): self = .claimed(MemeID(id))
    case (3, let id?, _): self = .deleted(MemeID(id))
    case (4, let id?, _): self = .restored(MemeID(id))
    case (5, let id?, _): self = .counted(MemeID(id))
    case (6, let id?, _): self = .purged(MemeID(id))
    case (7, _, let person?): self = .sequenced(of: person)
    case (8, _, let person?): self = .signedOut(person)
    case (10, let id?, _): self = .templateChanged(TemplateID(id))
    default: self = .many
    }
  }
}
