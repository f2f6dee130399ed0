import Bytes
import HTTP
import Memes
package import Services

/// Health checks, the API contract, and the descriptions of problems.
package struct OperationRoutes: Sendable {
  private let readiness: Readiness
  private let contract: ContractFiles

  package init(readiness: Readiness, contract: ContractFiles) {
    (self.readiness, self.contract) = (readiness, contract)
  }

  package var routes: [Route] {
    [
      Route(.get, "/healthz", access: .open, health),
      Route(.get, "/readyz", access: .open, ready),
      Route(.get, "/openapi.yaml", access: .open, yaml),
      Route(.get, "/openapi-3.0.yaml", access: .open, yaml30),
      Route(.get, "/openapi.json", access: .open, json),
      Route(.get, "/problems/{code}", access: .open, problem),
    ]
  }

  private func health(_ call: Call) async throws -> Response {
    .uncached { json in json.object { $0.member("status", "ok") } }
  }

  private func ready(_ call: Call) async throws -> Response {
    let failures = await readiness.failures()
    guard failures.isEmpty else {
      let names = failures.map(\.rawValue).joined(separator: ", ")
      throw Problem(.notReady, "Failed checks: \(names).")
    }
    return .uncached { json in
      json.object { json in
        json.member("status", "ready")
        json.object("checks") { json in
          for check in readiness.checks {
            json.name(escaping: check.rawValue)
            json.value("ok")
          }
        }
      }
    }
  }

  private func yaml(_ call: Call) async throws -> Response {
    Response(.ok, "application/yaml", contract.yaml)
  }

  private func yaml30(_ call: Call) async throws -> Response {
    Response(.ok, "application/yaml", contract.yaml30)
  }

  private func json(_ call: Call) async throws -> Response {
    Response(.ok, "application/json", contract.json)
  }

  private func problem(_ call: Call) async throws -> Response {
    guard let kind = ProblemKind.all.first(where: { $0.code == call.parameters["code"] }) else {
      throw Problem(.notFound)
    }
    return Response(page: Bytes(ProblemPage(kind: kind).html.text))
  }
}
