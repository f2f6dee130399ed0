/// Asks a running server whether it answers: `mememe healthcheck`, for containers.
struct HealthCheck {
  private let server: LocalServer

  init(_ settings: Settings) { server = LocalServer(settings, seconds: 3) }

  /// Whether `GET /healthz` is answered 200.
  func passes() -> Bool { (try? server.send("GET", "/healthz"))?.status == 200 }
}
