package import Memes
package import Storage

/// What a server does continuously if it shares its database with others: it reads their changes, says that it runs,
/// learns whether a newer version excludes it, and keeps the tables of this small.
///
/// Each server does all of it. What another one is doing at that moment is skipped.
package final class SharedUpkeep: Sendable {
  package enum Event: Sendable {
    /// The database does not answer, or rejects the work. Reported once until it works again.
    case failed(any Error)
    case worksAgain
    /// A newer version has migrated the database, and this server must stop. Reported once.
    case excluded(any Error)
  }

  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - servers: use a connection of their own, so that a busy server still learns of changes.
  ///   - observers: told of the changes that other servers made, and again of those of this one.
  package init(
    _ changes: HappenedChanges, _ servers: ServerStore, as server: RunningServer,
    telling observers: [any ChangeObserver], report: @escaping @Sendable (Event) -> Void
  ) {
    task = Task {
      var upkeep = Upkeep(servers: servers, server: server)
      var (isFailing, isExcluded) = (false, false)
      while !Task.isCancelled {
        do {
          // First: the statements of this version may fail.
          if !isExcluded, let exclusion = try await upkeep.exclusion(at: .now) {
            // Requests that have begun still need to know what other servers change, and others that this one runs.
            isExcluded = true
            report(.excluded(exclusion))
          }
          try await changes.poll(telling: observers)
          try await upkeep.run(at: .now)
          if isFailing { report(.worksAgain) }
          isFailing = false
        } catch {
          if !isFailing, !isExcluded { report(.failed(error)) }
          isFailing = true
        }
        try? await Task.sleep(for: upkeep.pause)
      }
      // Without a database, the stop would only take longer.
      if !isFailing || isExcluded { try? await servers.remove(server) }
    }
  }

  package func stop() async {
    task.cancel()
    await task.value
  }
}

/// The work besides the polls, and when it is due.
private struct Upkeep {
  let servers: ServerStore
  let server: RunningServer
  private var count = 1
  private var (nextCheck, nextNote, nextFold, nextCleaning) = (
    ContinuousClock.now + .seconds(1), ContinuousClock.now, ContinuousClock.now,
    ContinuousClock.now + .seconds(60)
  )

  init(servers: ServerStore, server: RunningServer) {
    (self.servers, self.server) = (servers, server)
  }

  /// The time between two polls. From seven servers on, more of them do not poll PostgreSQL more often.
  var pause: Duration { max(.milliseconds(5), .microseconds(750 * count)) }

  mutating func exclusion(at now: ContinuousClock.Instant) async throws -> (any Error)? {
    guard now >= nextCheck else { return nil }
    let exclusion = try await servers.exclusion(of: server)
    nextCheck = now + .seconds(1)
    return exclusion
  }

  mutating func run(at now: ContinuousClock.Instant) async throws {
    if now >= nextNote {
      count = try await servers.note(server)
      nextNote = now + .seconds(5)
    }
    if now >= nextFold {
      try await servers.foldTotals()
      nextFold = now + .seconds(count)
    }
    if now >= nextCleaning {
      try await servers.forgetChanges()
      try await servers.forgetFullBuckets()
      nextCleaning = now + .seconds(60)
    }
  }
}
