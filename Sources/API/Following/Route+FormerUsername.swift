import Bytes
import HTTP
import Memes
package import Storage

extension Route {
  /// The same route. If its path names a user, it redirects from a former username to the current one, while the former
  /// one is reserved and if the caller may see the user. Others get the same 404 as for an unknown username.
  package func redirectingFormerUsernames(
    of relations: RelationStore, _ context: APIContext
  ) -> Route {
    guard let place = pattern.segments.firstIndex(of: .parameter("username")) else { return self }
    var route = self
    route.handler = { [handler] call in
      do { return try await handler(call) } catch MemeError.notFound {
        let current = try await relations.currentUsername(
          ofFormer: call.username(), for: call.viewer, at: context.now())
        guard let current else { throw MemeError.notFound }
        var segments = call.request.head.target.segments
        guard segments.indices.contains(place) else { throw MemeError.notFound }
        segments[place] = current.text
        let path = segments.map { "/\($0.percentEncoded)" }.joined()
        let url = "\(context.basePath)\(path)\(call.request.head.target.rawQuery)"
        // Later, the name may be someone else's. An avatar may be on another site: browsers check the policy of the
        // redirect, too (Fetch, "HTTP fetch").
        return Response(.permanentRedirect)
          .with(.location, HeaderValue(url)).with(.cacheControl, "no-store")
          .with(.crossOriginResourcePolicy, "cross-origin")
      }
    }
    return route
  }
}
