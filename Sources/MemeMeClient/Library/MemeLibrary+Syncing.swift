// Syncing the library with the server.
//
// A round reads before it sends. Reading settles many entries whose responses were lost, so they are not sent again. A
// device that cannot read has no reason to send. A library only sends after it has read everything once, so it later
// reads the outcome of everything that it sent.
extension MemeLibrary {
  /// The result of ``sync()``.
  public struct Report: Sendable, Hashable {
    /// The number of changes received.
    public var received = 0
    /// The number of local changes that were sent and settled.
    public var sent = 0
  }

  /// Syncs the library with the server once: receives changes, sends local changes and fetches thumbnails.
  ///
  /// If the server rejects a local change, the change becomes a draft, and no error is thrown.
  ///
  /// - Throws: ``LibraryError/signInNeeded``, ``LibraryError/otherPerson(owner:signedIn:)`` or a disk error;
  ///   ``MemeMeError`` if the server cannot be reached or asks to wait. The next call resumes the sync.
  @discardableResult
  public func sync() async throws -> Report {
    let report = try await round()
    await fetchThumbnails()
    return report
  }

  /// Receives and sends until neither side has further changes.
  func round() async throws -> Report {
    await turn.begin()
    defer { turn.end() }
    report(.syncing)
    do {
      let report = try await exchange()
      self.report(.upToDate)
      return report
    } catch {
      self.report(.idle)
      throw error
    }
  }

  private func exchange() async throws -> Report {
    var report = Report()
    while true {
      do {
        try await exchange(by: current, &report)
        return report
      } catch is ReplacedClient {}
    }
  }

  private func exchange(by client: NumberedClient, _ report: inout Report) async throws {
    try await askWho(by: client)
    var skipped = SkippedEntries()
    var goesOn: Bool
    repeat {
      report.received += try await read(by: client)
      goesOn = try await send(&skipped, &report.sent, by: client)
      if !goesOn { goesOn = try await store.beginAgainForNewMembers() }
    } while goesOn
    if let error = skipped.error { throw error }
  }

  /// Checks that the user of the client owns the library.
  private func askWho(by client: NumberedClient) async throws {
    guard !isConfirmed(client) else { return }
    let user = try await asking(client) { client in try await client.account() }
    guard current.number == client.number else { throw ReplacedClient() }
    let person = LibraryOwner(user)
    let owner = try await store.claim(for: person)
    guard owner == person else {
      throw LibraryError.otherPerson(owner: owner.username, signedIn: user.username)
    }
    confirm(client)
  }

  /// Reads all remaining pages of changes.
  ///
  /// - Returns: The number of changes.
  private func read(by client: NumberedClient) async throws -> Int {
    var (count, hasMore, restarts) = (0, true, 0)
    while hasMore {
      let place = try store.place()
      guard let page = try await page(at: place, wait: .zero, by: client) else {
        restarts += 1
        // Servers that reject each other's positions would keep the library reading without a pause.
        guard restarts < 3 else {
          throw MemeMeError.unexpectedAnswer(status: 410, requestID: nil, retryAfter: nil)
        }
        continue
      }
      changes.tell(try await store.take(page, at: place))
      count += page.changes.count
      hasMore = page.hasMore
    }
    return count
  }

  /// Fetches the changes after a position.
  ///
  /// - Returns: `nil` if the server no longer accepts the position. The library has then restarted from the beginning.
  func page(
    at place: ReadingPlace, wait: Duration, by client: NumberedClient
  ) async throws -> ChangePage? {
    do {
      return try await asking(client) { client in
        try await client.changes(since: place.cursor, limit: 100, wait: wait)
      }
    } catch MemeMeError.problem(let problem)
      where [.cursorExpired, .invalidCursor].contains(problem.code) && place.cursor != nil
    {
      try await store.beginAgain(insteadOf: place.cursor)
      return nil
    }
  }

  /// Calls the server.
  ///
  /// If the client is replaced during the call, the result is still valid: it belongs to the user of this client, and
  /// ``signOut()`` only empties the library after the round.
  ///
  /// - Throws: ``ReplacedClient`` before the call, if the library has another client now;
  ///   ``LibraryError/signInNeeded`` if the server requires authentication.
  func asking<Value>(
    _ client: NumberedClient, _ body: (MemeMeClient) async throws -> Value
  ) async throws -> Value {
    guard current.number == client.number else { throw ReplacedClient() }
    do { return try await body(client.client) } catch MemeMeError.problem(let problem)
      where problem.status == 401
    {
      guard current.number == client.number else { throw ReplacedClient() }
      throw LibraryError.signInNeeded
    }
  }
}
