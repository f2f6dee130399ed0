import Foundation

// Continuous syncing.
extension MemeLibrary {
  /// How long the server may wait for a change before it responds: less than the idle timeouts of proxies.
  private static let wait = Duration.seconds(50)

  /// Keeps the library in sync with the server until the task is cancelled. Sends local changes at once and receives
  /// changes as they happen. After a failure, tries again with increasing pauses. ``status`` reports the current state.
  ///
  /// Do not run it more than once at a time. Run it while the app is in the foreground.
  public func run() async {
    var backoff = Backoff()
    while !Task.isCancelled {
      do {
        _ = try await round()
        backoff.reset()
        try await changeSomewhere()
      } catch is ReplacedClient {
        continue
      } catch {
        if Task.isCancelled { break }
        await rest(after: error, &backoff)
      }
    }
    report(.idle)
  }

  /// Makes ``run()`` try again at once if it pauses after a failure. Call this when the app enters the foreground or
  /// the network is available again. A pause that the server requested is not shortened.
  public func hurry() { bell.put(()) { _, _ in } }

  /// Waits for a local change or a change on the server, which it stores. Fetches thumbnails while it waits.
  private func changeSomewhere() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await self.poll()
        return true
      }
      group.addTask {
        await self.bell.take()
        return true
      }
      group.addTask {
        await self.fetchThumbnails()
        return false
      }
      defer { group.cancelAll() }
      while let hasChanged = try await group.next(), !hasChanged {}
    }
  }

  private func poll() async throws {
    let client = current
    // A new client may belong to another user. The next round finds out.
    guard isConfirmed(client) else { return }
    let (place, began) = (try store.place(), ContinuousClock.now)
    let page: ChangePage
    do {
      guard let next = try await self.page(at: place, wait: Self.wait, by: client) else { return }
      page = next
    } catch let error as MemeMeError where error.code == .tooManyRequests {
      // Perhaps the server only refuses another request that waits. Local changes must not wait for that.
      return try await Task.sleep(for: error.retryAfter ?? .seconds(15))
    }
    try await take(page, at: place, by: client)
    // Avoids a busy loop if the server does not wait.
    if page.changes.isEmpty { try await Task.sleep(until: began + .seconds(1)) }
  }

  private func take(
    _ page: ChangePage, at place: ReadingPlace, by client: NumberedClient
  ) async throws {
    await turn.begin()
    defer { turn.end() }
    // The library may have been emptied since, for another user.
    guard current.number == client.number else { return }
    changes.tell(try await store.take(page, at: place))
  }

  private func rest(after error: any Error, _ backoff: inout Backoff) async {
    let (asked, pause) = ((error as? MemeMeError)?.pauseForAll, backoff.next())
    let length = max(asked ?? .zero, pause)
    let until = Date.now + length.seconds
    switch error {
    case LibraryError.signInNeeded: report(.signInNeeded)
    case let error as LibraryError: report(.stopped(because: error.description))
    case MemeMeError.problem(let problem) where problem.isAboutCaller:
      report(.stopped(because: problem.detail))
    default: report(.waiting(until: until, because: "\(error)"))
    }
    // If the server asked to wait, a local change does not make it less busy.
    await pauses(length, canBeCutShort: asked == nil)
  }

  private func pauses(_ length: Duration, canBeCutShort: Bool) async {
    await withTaskGroup { group in
      group.addTask { try? await Task.sleep(for: length) }
      if canBeCutShort { group.addTask { await self.bell.take() } }
      await group.next()
      group.cancelAll()
    }
  }
}

extension MemeMeError {
  /// The pause that the server asks for, unless it is about large pictures only: unfinished uploads last for a day.
  fileprivate var pauseForAll: Duration? { code == .tooManyUploads ? nil : retryAfter }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
