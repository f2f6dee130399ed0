// Between the library and the server.
//
// A round reads before it sends: what is read settles much of what was sent and not answered, so it is not sent again; and a
// device that cannot even read has no business with sending. Only a library that has read everything once sends at all: so
// whatever becomes of something it sent, it will read of it later.
extension MemeLibrary {
  /// What one ``sync()`` did.
  public struct Report: Sendable, Hashable {
    /// The changes that were read.
    public var received = 0
    /// What was told to the server, and is settled.
    public var sent = 0
  }

  /// Makes library and server equal, once: reads what changed, sends what waits, and fetches thumbnails.
  ///
  /// What the server refuses becomes a draft and is no error of this.
  ///
  /// - Throws: ``LibraryError/signInNeeded``, ``LibraryError/otherPerson(owner:signedIn:)`` and failures of the disk; and a
  ///   ``MemeMeError`` where the server could not be reached or asked to wait. Whatever it is, the next call goes on where
  ///   this one ended.
  @discardableResult
  public func sync() async throws -> Report {
    let report = try await round()
    await fetchThumbnails()
    return report
  }

  /// Reads and sends until both sides have nothing left to say.
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
    try await askWho()
    var (report, skipped) = (Report(), SkippedEntries())
    report.received += try await read()
    while case let sent = try await send(&skipped), sent > 0 {
      report.sent += sent
      report.received += try await read()
    }
    if let error = skipped.error { throw error }
    return report
  }

  /// Makes sure that who asks is the person whose library this is.
  private func askWho() async throws {
    guard !isKnownPerson else { return }
    let user = try await asking { client in try await client.account() }
    // Names are free again when somebody leaves.
    let person = "\(user.username) \(WireTime.text(user.createdAt))"
    let owner = try await store.claim(for: person)
    guard owner == person else {
      let name = owner.split(separator: " ").first.map(String.init) ?? owner
      throw LibraryError.otherPerson(owner: name, signedIn: user.username)
    }
    isKnownPerson = true
  }

  /// Reads pages of changes to the end.
  ///
  /// - Returns: how many changes there were.
  private func read() async throws -> Int {
    var (count, hasMore) = (0, true)
    while hasMore {
      let place = try store.place()
      guard let page = try await page(at: place, wait: .zero) else { continue }
      changes.tell(try await store.take(page, at: place))
      count += page.changes.count
      hasMore = page.hasMore
    }
    return count
  }

  /// Asks for the changes behind a place.
  ///
  /// - Returns: `nil` where the server does not know the place any more, and the library has gone to the beginning.
  func page(at place: ReadingPlace, wait: Duration) async throws -> ChangePage? {
    do {
      return try await asking { client in
        try await client.changes(since: place.cursor, limit: 100, wait: wait)
      }
    } catch MemeMeError.problem(let problem)
      where [.cursorExpired, .invalidCursor].contains(problem.code) && place.cursor != nil
    {
      try await store.beginAgain(insteadOf: place.cursor)
      return nil
    }
  }

  /// Asks the server, and says so where somebody has to sign in.
  func asking<Value>(_ body: (MemeMeClient) async throws -> Value) async throws -> Value {
    do { return try await body(client) } catch MemeMeError.problem(let problem)
      where problem.status == 401
    { throw LibraryError.signInNeeded }
  }
}
