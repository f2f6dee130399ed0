/// Enforces the rate limits of calls, together with the other servers of the database if there are any.
///
/// Each call is counted by this server first, so a flood costs the database nothing: after a rejection by the shared
/// buckets, this server knows how long to reject the caller by itself. If the database does not answer, this server's
/// count decides.
package struct SharedThrottle: Sendable {
  private let own: Throttle
  private let shared: (any SharedBuckets)?

  /// - Parameter shared: `nil` if no other server uses the database.
  package init(_ own: Throttle, shared: (any SharedBuckets)? = nil) {
    (self.own, self.shared) = (own, shared)
  }

  /// Counts a call.
  ///
  /// - Returns: the remaining allowance; `nil` if limits are off.
  /// - Throws: ``MemeError/throttled(_:)`` if the limit is exceeded.
  @discardableResult
  package func take(_ limit: Limit, for caller: Caller) async throws -> Allowance? {
    guard let allowance = try takeHere(limit, for: caller) else { return nil }
    return try await takeShared(limit, for: caller) ?? allowance
  }

  /// The first half of ``take(_:for:)``: counts a call at this server.
  @discardableResult
  package func takeHere(_ limit: Limit, for caller: Caller) throws -> Allowance? {
    try own.take(limit, for: caller)
  }

  /// The second half of ``take(_:for:)``: counts a call at all servers.
  ///
  /// - Returns: the remaining allowance; `nil` if other servers have no part in the limit, or the database does not
  ///   answer.
  @discardableResult
  package func takeShared(_ limit: Limit, for caller: Caller) async throws -> Allowance? {
    guard let shared, own.isOn, limit.isShared else { return nil }
    guard let taking = try? await shared.take(limit.sharedBuckets(of: caller)) else { return nil }
    return try own.adopt(taking, of: limit, for: caller)
  }

  /// Reverts a call that was counted shortly before.
  package func giveBack(_ limit: Limit, to caller: Caller) async {
    own.giveBack(limit, to: caller)
    guard let shared, own.isOn, limit.isShared else { return }
    try? await shared.giveBack(limit.sharedBuckets(of: caller))
  }

  /// Reverts all calls that were counted.
  package func forget(_ limit: Limit, of caller: Caller) async {
    own.forget(limit, of: caller)
    guard let shared, own.isOn, limit.isShared else { return }
    try? await shared.forget(limit.sharedBuckets(of: caller))
  }

  /// The remaining allowance by this server's count; `nil` if limits are off.
  package func look(_ limit: Limit, for caller: Caller) -> Allowance? {
    own.look(limit, for: caller)
  }
}
