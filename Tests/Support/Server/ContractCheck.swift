import HTTP
import Wire

/// Checks every response that a test sees against `openapi.yaml`.
package struct ContractCheck: Sendable {
  package let contract: Contract
  private let router: Router<String>

  /// Reads the contract once for all tests.
  package static let shared = Result { try ContractCheck() }

  private init() throws {
    contract = try .ofThisRepository()
    var router = Router<String>()
    for operation in contract.operations {
      guard let method = Method(rawValue: operation.method) else { continue }
      let pattern = RoutePattern(operation.pathTemplate)
      router.add(
        method, operation.matchesRest ? pattern.matchingRest : pattern, operation.pathTemplate)
    }
    self.router = router
  }

  /// - Returns: the violations of the response, one sentence each.
  func violations(of response: WireResponse, to method: String, _ target: String) -> [String] {
    let segments = (try? RequestTarget(target).segments) ?? []
    let match = Method(rawValue: method).flatMap { try? router.match($0, segments) }
    return contract.validate(
      method: method, pathTemplate: match?.endpoint ?? target, status: response.status,
      contentType: response["content-type"], headers: response.headers.map { ($0.name, $0.value) },
      body: response.body)
  }
}
