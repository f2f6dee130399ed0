#if os(Linux)
  import Foundation

  /// Sends requests by libcurl, on a thread that is there only while there is something to send, and a little longer.
  final class CurlTransport: Transport {
    private let loop: TransferLoop

    /// - Parameter authorities: a file in PEM of who may vouch for a server; `nil` for those that the machine trusts.
    init(authorities: URL? = nil) { loop = TransferLoop(authorities: authorities) }

    // Whatever is on its way holds it, so nothing is.
    deinit { loop.close() }

    func start(_ exchange: Exchange) { loop.tell(.start(exchange)) }

    func proceed(with exchange: Exchange) { loop.tell(.proceed(exchange)) }

    func end(_ exchange: Exchange) { loop.tell(.end(exchange)) }
  }
#endif
