#if os(Linux)
  import Foundation

  /// Sends requests with libcurl on a thread that runs only while requests are active, and for a short time after that.
  final class CurlTransport: Transport {
    private let loop: TransferLoop

    /// - Parameter authorities: A PEM file of trusted certificate authorities; `nil` to trust those of the system.
    init(authorities: URL? = nil) { loop = TransferLoop(authorities: authorities) }

    // Active exchanges retain the transport, so there are none left here.
    deinit { loop.close() }

    func start(_ exchange: Exchange) { loop.tell(.start(exchange)) }

    func proceed(with exchange: Exchange) { loop.tell(.proceed(exchange)) }

    func end(_ exchange: Exchange) { loop.tell(.end(exchange)) }
  }
#endif
