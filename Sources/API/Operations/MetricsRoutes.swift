import HTTP
package import Metrics

/// Metrics for Prometheus.
package struct MetricsRoutes: Sendable {
  private let page: MetricsPage
  private let access: Route.Access

  /// - Parameter access: ``Route/Access/open`` if the metrics have their own listening address.
  package init(page: MetricsPage, access: Route.Access = .machine) {
    (self.page, self.access) = (page, access)
  }

  package var routes: [Route] {
    [Route(.get, "/metrics", access: access, takesTokens: true, metrics)]
  }

  private func metrics(_ call: Call) async throws -> Response {
    Response(.ok, "text/plain; version=0.0.4; charset=utf-8", await page.text())
      .with(.cacheControl, "no-store")
  }
}
