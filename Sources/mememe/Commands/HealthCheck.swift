/// `mememe healthcheck`: checks that a running server responds. Containers use it as their health check.
struct HealthCheck {
  private let server: LocalServer

  init(_ settings: Settings) { server = LocalServer(settings, seconds: 3) }

  /// Whether `GET /healthz` returns 200.
  func passes() -> Bool { (try? server.send("GET", "/healthz"))?.status == 200 }
}
