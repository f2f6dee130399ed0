import HTTP
import Memes

extension Throttle {
  /// Counts a request against the limit of its route: for the person who is signed in, else for the network that it comes
  /// from. The admin is not counted.
  ///
  /// - Returns: what is left; `nil` where nothing is counted.
  /// - Throws: 429.
  func count(
    _ head: RequestHead, to route: Route, by viewer: Viewer
  ) throws(Problem) -> Allowance? {
    guard let limit = route.limit else { return nil }
    if let name = route.counted, !head.target.query.contains(where: { $0.name == name }) {
      return nil
    }
    let caller: Caller
    switch viewer {
    case .admin: return nil
    case .person(let id), .administrator(let id): caller = .person(id)
    case .anonymous, .holder: caller = .network(head.network)
    }
    do throws(MemeError) { return try take(limit, for: caller) } catch { throw Problem(error) }
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
