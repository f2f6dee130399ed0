package import Memes
package import Storage

/// Performs requests with an idempotency key at most once, and returns the first response to repeated requests.
///
/// All requests that create something share one instance, because a key belongs to the first request that uses it,
/// whatever that request creates.
package struct Idempotency: Sendable {
  private let store: IdempotencyStore
  private let now: @Sendable () -> Timestamp
  private let inFlight = KeysInFlight()

  package init(store: IdempotencyStore, now: @escaping @Sendable () -> Timestamp) {
    (self.store, self.now) = (store, now)
  }

  /// Performs a request, unless the first request with its key already has a response.
  ///
  /// Only a successful request uses up its key. A failed one leaves no trace.
  ///
  /// - Parameters:
  ///   - request: `nil` if the request has no key.
  ///   - repeated: converts the stored response to an outcome.
  ///   - make: performs the request, and stores the response in the same transaction.
  /// - Throws: ``MemeError/keyInUse`` while another request with the key is running; ``MemeError/keyReused`` if the key
  ///   was used with a different request; the errors of the store and of `make`.
  func perform<Made, Outcome>(
    _ request: IdempotentRequest<Made>?, repeated: (IdempotencyRecord) -> Outcome,
    make: () async throws -> Outcome
  ) async throws -> Outcome {
    guard let request else { return try await make() }
    guard inFlight.begin(request.key) else { throw MemeError.keyInUse }
    defer { inFlight.end(request.key) }
    // Read before anything is made, so that a repeated request costs one lookup.
    if let first = try await store.firstResponse(to: request.key, at: now()) {
      return repeated(try first.repeated(for: request.digest))
    }
    return try await make()
  }
}
