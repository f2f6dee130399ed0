import HTTP
import Memes

extension Throttle {
  /// Counts a request against the limit of its route.
  ///
  /// - Returns: what is left; `nil` where nothing is counted.
  /// - Throws: 429.
  func count(
    _ head: RequestHead, to route: Route, by caller: Caller?
  ) throws(Problem) -> Allowance? {
    guard let limit = route.limit, let caller else { return nil }
    if let name = route.counted, !head.target.query.contains(where: { $0.name == name }) {
      return nil
    }
    do throws(MemeError) { return try take(limit, for: caller) } catch { throw Problem(error) }
  }

  /// The rest of the limits that a request was counted for, once it is done.
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
  /// The caller that a request is counted for: the account, else the network that it comes from; `nil` for the admin's token.
  init?(_ viewer: Viewer, _ head: RequestHead) {
    switch viewer {
    case .admin: return nil
    case .person(let id), .administrator(let id): self = .person(id)
    case .anonymous, .holder: self = .network(head.network)
    }
  }
}

extension RequestHead {
  /// Where the client asks from.
  var network: ClientNetwork {
    guard let address = IPAddress(peer) else { return ClientNetwork(peer) }
    return ClientNetwork(
      address.network.description, site: address.site.map { "\($0)/48" })
  }
}
