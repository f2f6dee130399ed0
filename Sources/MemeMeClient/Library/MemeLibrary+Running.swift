import Foundation

// Syncing that goes on.
extension MemeLibrary {
  /// For so long the server is asked to wait for a change: less than what lies between takes for silence.
  private static let wait = Duration.seconds(50)

  /// Keeps library and server equal, until the task is cancelled: sends what waits as soon as there is something, and hears of
  /// changes when they happen. Where that fails it tries again, after longer and longer pauses. ``status`` tells how it goes.
  ///
  /// Once at a time, while the app is in the foreground.
  public func run() async {
    var backoff = Backoff()
    while !Task.isCancelled {
      do {
        _ = try await round()
        backoff.reset()
        try await changeSomewhere()
      } catch {
        if Task.isCancelled { break }
        await rest(after: error, &backoff)
      }
    }
    report(.idle)
  }

  /// Tries again at once where ``run()`` waits: for an app that has come to the foreground, or has a network again.
  public func hurry() { bell.put(()) { _, _ in } }

  /// Waits until something changed on the server, and takes it in, or here. Meanwhile thumbnails are fetched.
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
    let (place, began) = (try store.place(), ContinuousClock.now)
    guard let page = try await page(at: place, wait: Self.wait) else { return }
    try await take(page, at: place)
    // A server that does not wait is not asked without a pause.
    if page.changes.isEmpty { try await Task.sleep(until: began + .seconds(1)) }
  }

  private func take(_ page: ChangePage, at place: ReadingPlace) async throws {
    await turn.begin()
    defer { turn.end() }
    changes.tell(try await store.take(page, at: place))
  }

  private func rest(after error: any Error, _ backoff: inout Backoff) async {
    let (asked, pause) = ((error as? MemeMeError)?.retryAfter, backoff.next())
    let length = max(asked ?? .zero, pause)
    let until = Date.now + length.seconds
    switch error {
    case LibraryError.signInNeeded: report(.signInNeeded)
    case let error as LibraryError: report(.stopped(because: error.description))
    case MemeMeError.problem(let problem) where problem.code == .suspended:
      report(.stopped(because: problem.detail))
    default: report(.waiting(until: until, because: "\(error)"))
    }
    // Where the server asked to wait, a change here does not make it any less busy.
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

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
