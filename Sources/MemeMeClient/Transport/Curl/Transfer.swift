#if os(Linux)
  import Curl
  import Foundation

  /// The libcurl transfer of an exchange. Used on the loop's thread only.
  final class Transfer {
    let exchange: Exchange
    let handle: CurlHandle
    private let peer: TransferPeer

    /// Prepares the request without sending it.
    init(of exchange: Exchange, authorities: URL?) throws {
      self.exchange = exchange
      peer = try TransferPeer(for: exchange)
      handle = try CurlHandle(for: peer)
      try prepare(exchange.request, authorities)
    }

    /// The time when the server will have been silent for too long; `nil` while the transfer waits for the reader.
    var silentAt: ContinuousClock.Instant? {
      peer.isHeldBack ? nil : peer.lastSign + exchange.request.silence
    }

    /// Resumes a body that was ahead of its reader.
    func proceed() throws(CurlError) {
      if peer.release() { try handle.resume() }
    }

    func finished(_ error: CurlError?) {
      if let error {
        exchange.ended(peer.failure ?? MemeMeError(error))
      } else {
        // libcurl accepts a response that ends within its head.
        exchange.ended(peer.hasHead ? nil : MemeMeError.connection(.networkConnectionLost))
      }
    }

    private func prepare(_ request: OutgoingRequest, _ authorities: URL?) throws(CurlError) {
      try handle.set(.protocols, "http,https")
      try handle.set(.url, request.url.absoluteString)
      // An argument remains a single path segment, even if it is `..`.
      try handle.set(.keepsDots, true)
      try handle.set(.method, request.method)
      // With HTTP/1.1, each active transfer has its own connection. Pausing or ending one does not affect the others.
      try handle.set(.version, .http11)
      // A server may close an idle connection just when a request is sent. Requests that must not be repeated therefore
      // use a new connection.
      try handle.set(.connectsAnew, !request.isRepeatable)
      try handle.set(.idleConnectionSeconds, Self.idleConnectionSeconds)
      try handle.set(.hidesProxyAnswers, true)
      try handle.set(.endsAtOnce, true)
      try handle.set(.acceptedEncodings, "gzip")
      try handle.set(.userAgent, Self.userAgent)
      try handle.set(.bufferBytes, 64 << 10)
      // The server rejects unwanted requests before it reads their bodies. Waiting for `100 Continue` would cost a
      // round trip or a second.
      try handle.set(.fields, request.fields.map { "\($0): \($1)" } + ["Expect:"])
      if let authorities { try handle.set(.authorities, authorities.path(percentEncoded: false)) }
      // Requests with these methods specify a content length even if they have no body (RFC 9110 §8.6).
      if request.bodyBytes > 0 || ["POST", "PUT", "PATCH"].contains(request.method) {
        try handle.set(.sendsBody, true)
        try handle.set(.bodyBytes, request.bodyBytes)
      }
    }

    /// Less than the keep-alive timeout of the server.
    private static let idleConnectionSeconds = 20

    /// The name of the program that uses the library, reduced to characters that a header field allows.
    private static let userAgent: String = {
      let name = ProcessInfo.processInfo.processName.unicodeScalars.filter {
        ("!"..."~").contains($0)
      }
      return "\(String(String.UnicodeScalarView(name))) (MemeMeClient)"
    }()
  }
#endif
