import Memes

/// The discovery document of a provider, fetched on first use and again after an hour.
///
/// All callers share one request. After a failure, callers fail at once for some seconds, so that clients cannot make
/// the server ask an unreachable provider again and again.
actor MetadataCache {
  private static let lifetimeMilliseconds: Int64 = 60 * 60_000
  private static let pauseMilliseconds: Int64 = 5_000

  private let fetch: @Sendable () async throws -> ProviderMetadata
  private let now: @Sendable () -> Timestamp
  private var known: (metadata: ProviderMetadata, at: Timestamp)?
  private var failure: (error: any Error, at: Timestamp)?
  private var pending: Task<ProviderMetadata, any Error>?

  init(
    now: @escaping @Sendable () -> Timestamp,
    fetch: @escaping @Sendable () async throws -> ProviderMetadata
  ) { (self.now, self.fetch) = (now, fetch) }

  /// - Throws: ``OpenIDError``.
  func metadata() async throws -> ProviderMetadata {
    if let known, isRecent(known.at, Self.lifetimeMilliseconds) { return known.metadata }
    if let pending { return try await pending.value }
    if let failure, isRecent(failure.at, Self.pauseMilliseconds) { throw failure.error }
    // A task of its own: the cancellation of the first caller must not end the request of the others.
    let task = Task { try await fetch() }
    pending = task
    defer { pending = nil }
    do {
      let metadata = try await task.value
      (known, failure) = ((metadata, now()), nil)
      return metadata
    } catch {
      failure = (error, now())
      throw error
    }
  }

  /// A clock that was set back makes nothing recent.
  private func isRecent(_ time: Timestamp, _ milliseconds: Int64) -> Bool {
    (0..<milliseconds).contains(now().millisecondsSince1970 - time.millisecondsSince1970)
  }
}
