import Foundation
package import Memes
package import SQL
import Synchronization

/// The changes of a PostgreSQL database, also those that other servers made.
///
/// Every write that users see inserts its changes into the table `happened`, in its transaction. A poll reads the rows
/// since its horizon: the lowest transaction that had not ended when the previous poll looked. It sees no commit too
/// late to be found by a later one, and some twice, which it recognizes: decision 0085.
package final class HappenedChanges: Sendable {
  private struct State {
    /// The lowest transaction whose rows the next poll may not know; `nil` before the first poll.
    var horizon: Int64?
    /// The transactions from the horizon on whose changes were told.
    var told: Set<Int64> = []
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
  /// - Parameter observers: told of each change at least once, those of one meme or user in their order.
  package func poll(
    telling observers: [any ChangeObserver], at began: ContinuousClock.Instant = .now
  ) async throws {
    let horizon = state.withLock { $0.horizon }
    let rows = try await readers.read { db in
      try db.all(Self.query, horizon.map(String.init)) { row in
        (
          oldest: try row.next() as Int64, transaction: try row.next() as Int64?,
          change: try MemeChange(&row)
        )
      }
    }
    let new = state.withLock { state -> [MemeChange] in
      let oldest = rows.first?.oldest ?? horizon ?? 0
      let isGap = state.lookedAt.map { began - $0 > Self.longestGap } ?? false
      let new = rows.filter { row in
        row.transaction.map { !state.told.contains($0) } ?? false
      }
      state.told.formUnion(new.compactMap(\.transaction))
      state.told = state.told.filter { $0 >= oldest }
      state.horizon = oldest
      guard let horizon else { return [.missed] }
      // A database that was restored counts its transactions from an earlier number.
      return isGap || oldest < horizon ? [MemeChange.missed] : new.compactMap(\.change)
    }
    for change in new { observers.forEach { $0.changed(change) } }
    // Only now: until the caches know the changes, their answers are as old as the poll before.
    state.withLock { $0.lookedAt = began }
  }

  /// One snapshot provides the rows and the lowest transaction that it does not see.
  private static let query = """
    SELECT now.oldest, happened.xid, happened.kind, happened.meme, happened.person
    FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS oldest) AS now
    LEFT JOIN happened ON happened.xid >= coalesce(CAST(?1 AS xid8), now.oldest)
    ORDER BY happened.number
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
