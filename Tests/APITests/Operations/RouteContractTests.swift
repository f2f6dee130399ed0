import API
import HTTP
import Memes
import Support
import Testing
import YAML

struct RouteContractTests {
  @Test func `the route table and the contract have the same operations`() async throws {
    let contract = Set(
      try ContractCheck.shared.get().contract.operations.map { "\($0.method) \($0.pathTemplate)" })
    try await withServer { server in
      let routes = Set(server.routes.map { "\($0.method.rawValue) \($0.pattern.text)" })
      #expect(routes.subtracting(contract).isEmpty)
      #expect(contract.subtracting(routes).isEmpty)
    }
  }

  @Test func `a route takes idempotency keys if the contract says so`() async throws {
    let contract = try ContractCheck.shared.get().contract
    try await withServer { server in
      for route in server.routes {
        let operation = contract.document["paths"]?[route.pattern.text]?[
          route.method.rawValue.lowercased()]
        let parameters = (operation?["parameters"]?.sequence ?? []).map(contract.resolved)
        let hasKey = parameters.contains { $0["name"]?.string == "Idempotency-Key" }
        #expect(hasKey == route.takesKeys, "\(route.method.rawValue) \(route.pattern.text)")
      }
    }
  }

  /// Operations without a rate limit that can still respond with 429.
  private static let refusing = [
    "GET /memes/changes", "GET /memes/events", "GET /memes/{id}/image", "GET /images/{template}",
    "GET /images/{template}/{lines}",
  ]

  @Test func `rate limits match the contract and cover writes, searches and sign-ins`() async throws
  {
    let contract = try ContractCheck.shared.get().contract
    try await withServer { server in
      for route in server.routes {
        let name = "\(route.method.rawValue) \(route.pattern.text)"
        let operation = contract.document["paths"]?[route.pattern.text]?[
          route.method.rawValue.lowercased()]
        // Long polls are counted separately, and the cost of a picture is known only after it is inspected.
        let refuses = route.limit != nil || Self.refusing.contains(name)
        #expect((operation?["responses"]?["429"] != nil) == refuses, "\(name)")
        let writes = route.method != .get
        let isLimited = writes && route.access != .admin && name != "DELETE /sessions"
        let searches = [
          "GET /memes", "GET /tags", "GET /templates", "GET /memegen/templates", "GET /users",
          "GET /oidc/start",
          "GET /oidc/callback", "GET /images/{template}", "GET /images/{template}/{lines}",
        ].contains(name)
        #expect((isLimited || searches) == (route.limit != nil), "\(name)")
      }
    }
  }

  @Test func `only exports and long polls are long-running`() async throws {
    try await withServer { server in
      let patient = server.routes.filter(\.isLongRunning).map(\.pattern.text).sorted()
      #expect(patient == ["/memes/changes", "/users/me/export"])
    }
  }

  @Test func `a route takes the query parameters of the contract`() async throws {
    let contract = try ContractCheck.shared.get().contract
    try await withServer { server in
      for route in server.routes {
        let path = contract.document["paths"]?[route.pattern.text]
        let operation = path?[route.method.rawValue.lowercased()]
        let parameters =
          (path?["parameters"]?.sequence ?? [])
          + (operation?["parameters"]?.sequence ?? [])
        let names = parameters.map(contract.resolved)
          .filter { $0["in"]?.string == "query" }.compactMap { $0["name"]?.string }
        #expect(Set(names) == route.query, "\(route.method.rawValue) \(route.pattern.text)")
      }
    }
  }

  /// openapi-python-client writes code that does not compile for two media types with one schema. All JSON bodies can
  /// also be a merge patch, which the description of the contract says once.
  @Test func `a request body has one media type of JSON`() throws {
    let contract = try ContractCheck.shared.get().contract
    for operation in contract.operations {
      let node = contract.document["paths"]?[operation.pathTemplate]?[
        operation.method.lowercased()]
      let body = node?["requestBody"].map(contract.resolved)
      let types = body?["content"]?.mapping?.keys.filter { $0.hasSuffix("json") } ?? []
      #expect(types.count <= 1, "\(operation.method) \(operation.pathTemplate)")
    }
  }

  /// Operations whose access depends on more than the route: its handler, or the server's settings.
  private static let special = [
    "GET /memes/{id}/original": "owner", "POST /templates": "account",
    "POST /invitations": "account", "GET /invitations": "account",
    "DELETE /invitations/{id}": "account",
  ]

  @Test func `x-access of an operation is the access of its route`() async throws {
    let contract = try ContractCheck.shared.get().contract
    try await withServer { server in
      for route in server.routes {
        let name = "\(route.method.rawValue) \(route.pattern.text)"
        let operation = contract.document["paths"]?[route.pattern.text]?[
          route.method.rawValue.lowercased()]
        let expected = Self.special[name] ?? Self.name(of: route.access)
        #expect(operation?["x-access"]?.string == expected, "\(name)")
      }
    }
  }

  private static func name(of access: Route.Access) -> String {
    switch access {
    case .open: "open"
    case .viewer: "optional"
    case .signed: "signed"
    case .credentials: "owner"
    case .person: "person"
    case .leaving: "person-or-suspended"
    case .admin: "admin"
    case .machine: "admin-or-local"
    }
  }
}
