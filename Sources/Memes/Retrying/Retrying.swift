/// Answers a request that came with a key once, and again as it was the first time.
///
/// All that clients can make goes through the same one, because a key is used up by whatever it came with first.
package struct Retrying: Sendable {
  private let store: any RetryStore
  private let now: @Sendable () -> Timestamp
  private let inFlight = KeysInFlight()

  package init(store: any RetryStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Makes what was asked for, unless the key's first request was answered.
  ///
  /// Only what makes something uses the key up: a request that fails leaves no trace of it.
  ///
  /// - Parameters:
  ///   - retry: `nil` where the request came without a key.
  ///   - repeated: what becomes of the first answer.
  ///   - make: keeps the first answer in the transaction of what it makes.
  /// - Throws: ``MemeError/keyInUse`` while another request with the key runs, ``MemeError/keyReused`` where the first one
  ///   was another; and what the store and `make` throw.
  func answer<Made, Outcome>(
    _ retry: Retry<Made>?, repeated: (FirstAnswer) -> Outcome,
    make: () async throws(MemeError) -> Outcome
  ) async throws(MemeError) -> Outcome {
    guard let retry else { return try await make() }
    guard inFlight.begin(retry.key) else { throw .keyInUse }
    defer { inFlight.end(retry.key) }
    // Before anything is made: sending again costs a look.
    if let first = try await store.firstAnswer(to: retry.key, at: now()) {
      return repeated(try first.repeated(for: retry.request))
    }
    return try await make()
  }
}

/// What ``Retrying`` needs of a store. What makes something keeps its answer, so that is a part of the other stores.
package protocol RetryStore: Sendable {
  /// What was answered to the first request of this key; `nil` where there was none, or its time is over.
  func firstAnswer(to key: RetryKey, at time: Timestamp) async throws(MemeError) -> FirstAnswer?
}
