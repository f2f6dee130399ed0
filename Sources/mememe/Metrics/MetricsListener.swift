import API
import Bytes
import HTTP
import HTTPDaemon
import Memes

/// Serves `/metrics`, and nothing else, on a separate address. It uses plain HTTP and requires no token: any client
/// that can reach the address may read the metrics.
struct MetricsListener: Sendable {
  /// The URL of the metrics.
  let url: String
  private let daemon: Daemon

  init(
    _ address: HostAndPort, _ metrics: MetricsRoutes, tokens: any TokenKeeper, spool: SpoolPlace,
    log: Log
  ) throws {
    var configuration = DaemonConfiguration(
      host: address.host, port: UInt16(clamping: address.port), threads: 1)
    configuration.maximumConnections = 16
    configuration.log = log.library
    configuration.warn = log.connections
    daemon = Daemon(
      configuration,
      service: App(
        AppOptions(sending: spool), routes: metrics.routes,
        authentication: Authentication(tokens: tokens, anonymous: true),
        throttle: SharedThrottle(Throttle(isOn: false)), cache: ResponseCache(capacityBytes: 0),
        log: log))
    try daemon.start()
    let port = daemon.boundPort.map(Int.init) ?? address.port
    url = "http://\(Loopback.urlHost(for: address.host)):\(port)/metrics"
  }

  func stop() async { await daemon.stop(drainSeconds: 1) }
}
