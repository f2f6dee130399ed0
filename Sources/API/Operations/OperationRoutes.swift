package import Bytes
import HTTP
import Memes
package import Services

/// Health checks, the API contract, and the descriptions of problems.
package struct OperationRoutes: Sendable {
  private let readiness: Readiness
  private let openAPI: Bytes
  private let contractPage: LazyValue<Bytes, any Error>

  /// - Parameters:
  ///   - openAPI: the contract as YAML.
  ///   - contractPage: creates the HTML page of the contract. Called once, on the first request for the page.
  package init(
    readiness: Readiness, openAPI: Bytes, contractPage: @escaping @Sendable () throws -> Bytes
  ) {
    (self.readiness, self.openAPI) = (readiness, openAPI)
    self.contractPage = LazyValue(contractPage)
  }

  package var routes: [Route] {
    [
      Route(.get, "/healthz", access: .open, health),
      Route(.get, "/readyz", access: .open, ready),
      Route(.get, "/openapi.yaml", access: .open, contract),
      Route(.get, "/docs", access: .open, docs),
      Route(.get, "/problems/{code}", access: .open, problem),
    ]
  }

  private func health(_ call: Call) async throws -> Response {
    var json = JSONWriter()
    json.object { $0.member("status", "ok") }
    return Response(.ok, "application/json", json.finish())
  }

  private func ready(_ call: Call) async throws -> Response {
    let failures = await readiness.failures()
    guard failures.isEmpty else {
      let names = failures.map(\.rawValue).joined(separator: ", ")
      throw Problem(.notReady, "Not working: \(names).")
    }
    var json = JSONWriter()
    json.object { json in
      json.member("status", "ready")
      json.object("checks") { json in
        for check in Readiness.Check.allCases {
          json.name(escaping: check.rawValue)
          json.value("ok")
        }
      }
    }
    return Response(.ok, "application/json", json.finish())
  }

  private func contract(_ call: Call) async throws -> Response {
    Response(.ok, "application/yaml", openAPI)
  }

  private func docs(_ call: Call) async throws -> Response {
    Response(page: try contractPage.value())
  }

  private func problem(_ call: Call) async throws -> Response {
    guard let kind = ProblemKind.all.first(where: { $0.code == call.parameters["code"] }) else {
      throw Problem(.notFound)
    }
    return Response(page: Bytes(ProblemPage(kind: kind).html.text))
  }
}
