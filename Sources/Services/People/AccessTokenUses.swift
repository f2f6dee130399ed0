package import Memes
import Synchronization

/// Records when access tokens were last used, without delaying requests.
///
/// A request only adds an entry in memory. One task at a time writes all entries in one transaction. Entries that
/// arrive in between wait for the next one.
package final class AccessTokenUses: Sendable {
  private let store: @Sendable ([AccessTokenID: Timestamp]) async throws -> Void
  private let report: @Sendable (any Error) -> Void
  private let state = Mutex(State())

  private struct State {
    var waiting: [AccessTokenID: Timestamp] = [:]
    var written: [AccessTokenID: Timestamp] = [:]
    var task: Task<Void, Never>?
  }

  /// - Parameters:
  ///   - store: writes uses. It is called by one task at a time.
  ///   - report: receives the error if uses cannot be written. They are then not recorded.
  package init(
    store: @escaping @Sendable ([AccessTokenID: Timestamp]) async throws -> Void,
    report: @escaping @Sendable (any Error) -> Void
  ) { (self.store, self.report) = (store, report) }

  /// Records the use of a token, unless one was recorded within the last ``AccessToken/noteMilliseconds``. Does not
  /// wait.
  ///
  /// - Parameter token: the token as it was read. Its last use decides, without another read.
  package func note(_ token: AccessToken, at time: Timestamp) {
    guard AccessToken.needsNote(of: time, after: token.lastUsedAt) else { return }
    state.withLock { state in
      let lastUse = state.waiting[token.id] ?? state.written[token.id]
      guard AccessToken.needsNote(of: time, after: lastUse) else { return }
      state.waiting[token.id] = time
      if state.task == nil { state.task = Task { await self.write() } }
    }
  }

  /// Waits until all recorded uses are written.
  package func finish() async { await state.withLock { $0.task }?.value }

  private func write() async {
    while let uses = next() {
      do { try await store(uses) } catch { report(error) }
    }
  }

  private func next() -> [AccessTokenID: Timestamp]? {
    state.withLock { state in
      (state.written, state.waiting) = (state.waiting, [:])
      guard state.written.isEmpty else { return state.written }
      state.task = nil
      return nil
    }
  }
}
