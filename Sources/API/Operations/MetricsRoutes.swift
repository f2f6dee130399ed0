import HTTP
package import Metrics

/// What Prometheus reads.
package struct MetricsRoutes: Sendable {
  private let page: MetricsPage

  package init(page: MetricsPage) { self.page = page }

  package var routes: [Route] { [Route(.get, "/metrics", access: .open, metrics)] }

  private func metrics(_ call: Call) async throws -> Response {
    var response = Response(.ok, "text/plain; version=0.0.4; charset=utf-8", page.text())
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
