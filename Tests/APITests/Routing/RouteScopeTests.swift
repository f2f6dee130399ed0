import API
import HTTP
import Memes
import Testing

/// The scope that an access token needs depends only on the declaration of a route.
struct RouteScopeTests {
  private static func scope(
    _ method: HTTP.Method, _ access: Route.Access, takesTokens: Bool = false
  ) -> TokenScope? {
    Route(method, "/x", access: access, takesTokens: takesTokens) { _ in Response(.ok) }.scope
  }

  @Test(arguments: [Route.Access.open, .credentials, .person, .leaving, .admin, .machine])
  func `a route refuses tokens unless it declares otherwise`(access: Route.Access) {
    for method in [HTTP.Method.get, .post, .put, .patch, .delete] {
      #expect(Self.scope(method, access) == nil)
    }
  }

  @Test(arguments: [Route.Access.viewer, .credentials, .person, .leaving])
  func `every method that may change something needs the scope write`(access: Route.Access) {
    for method in [HTTP.Method.post, .put, .patch, .delete] {
      #expect(Self.scope(method, access, takesTokens: true) == .write)
    }
    for method in [HTTP.Method.get, .head] {
      #expect(Self.scope(method, access, takesTokens: true) == .read)
    }
    #expect(Self.scope(.post, .viewer) == .write && Self.scope(.get, .viewer) == .read)
  }

  @Test func `every route for admins needs the scope admin`() {
    for access in [Route.Access.admin, .machine] {
      for method in [HTTP.Method.get, .post, .delete] {
        #expect(Self.scope(method, access, takesTokens: true) == .admin)
      }
    }
  }
}
