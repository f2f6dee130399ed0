import HTTP
import Memes

extension SharedThrottle {
  /// Counts a request against the limit of its route.
  ///
  /// - Returns: the remaining allowance; `nil` if the request is not counted.
  /// - Throws: `tooManyRequests` if the limit is exceeded.
  func count(
    _ head: RequestHead, to route: Route, by caller: Caller?
  ) async throws(Problem) -> Allowance? {
    guard let limit = route.limit, let caller else { return nil }
    let isCounted =
      route.counted.isEmpty || head.target.query.contains { route.counted.contains($0.name) }
    guard isCounted else { return nil }
    do { return try await take(limit, for: caller) } catch { throw Problem(error) }
  }

  /// The remaining allowances of all limits that a request was counted for, after the server has processed it.
  func allowances(
    _ counted: Allowance?, of route: Route, for requester: Requester?
  ) -> [Allowance] {
    var allowances = counted.map { [$0] } ?? []
    if route.limit == .upload || route.limit == .preview, let requester, requester.pays,
      let drawing = look(.render, for: requester.caller)
    {
      allowances.append(drawing)
    }
    return allowances
  }
}

extension Caller {
  /// The caller that a request is counted for: the account, or else the client's network; `nil` for the admin token.
  init?(_ viewer: Principal, _ head: RequestHead) {
    switch viewer {
    case .admin: return nil
    case .person(let id), .administrator(let id): self = .person(id)
    case .anonymous, .deleteTokenHolder: self = .network(head.network)
    }
  }
}

extension RequestHead {
  /// The network of the client.
  var network: ClientNetwork {
    guard let address = IPAddress(peer) else { return ClientNetwork(peer) }
    return ClientNetwork(
      address.network.description, site: address.site.map { "\($0)/48" })
  }
}
