#if os(Linux)
  import Curl
  import Foundation

  /// An exchange as libcurl carries it out. Used on the loop's thread.
  final class Transfer {
    let exchange: Exchange
    let handle: CurlHandle
    private let peer: TransferPeer

    /// Makes the request ready; nothing is sent yet.
    init(of exchange: Exchange, authorities: URL?) throws {
      self.exchange = exchange
      peer = try TransferPeer(for: exchange)
      handle = try CurlHandle(for: peer)
      try prepare(exchange.request, authorities)
    }

    /// When the server will have been silent for too long; `nil` while it is the reader that is waited for.
    var silentAt: ContinuousClock.Instant? {
      peer.isHeldBack ? nil : peer.lastSign + exchange.request.silence
    }

    /// Lets the body come again that was too much.
    func proceed() throws(CurlError) {
      if peer.release() { try handle.resume() }
    }

    func finished(_ error: CurlError?) {
      if let error {
        exchange.ended(peer.failure ?? MemeMeError(error))
      } else {
        // For libcurl an answer is whole that ends within its head.
        exchange.ended(peer.hasHead ? nil : MemeMeError.connection(.networkConnectionLost))
      }
    }

    private func prepare(_ request: OutgoingRequest, _ authorities: URL?) throws(CurlError) {
      try handle.set(.protocols, "http,https")
      try handle.set(.url, request.url.absoluteString)
      // What an argument is made of stays one segment, also where it is two dots.
      try handle.set(.keepsDots, true)
      try handle.set(.method, request.method)
      // A connection for each that runs: what holds one back or ends it does so to no other.
      try handle.set(.version, .http11)
      // A server closes a connection that is not used, and it may do so as the request is sent. What may not be made again
      // does not go by one of those.
      try handle.set(.connectsAnew, !request.isRepeatable)
      try handle.set(.idleConnectionSeconds, Self.idleConnectionSeconds)
      try handle.set(.hidesProxyAnswers, true)
      try handle.set(.endsAtOnce, true)
      try handle.set(.acceptedEncodings, "gzip")
      try handle.set(.userAgent, Self.userAgent)
      try handle.set(.bufferBytes, 64 << 10)
      // The server says what it does not want before it reads it; waiting for leave would cost a round trip, or a second.
      try handle.set(.fields, request.fields.map { "\($0): \($1)" } + ["Expect:"])
      if let authorities { try handle.set(.authorities, authorities.path(percentEncoded: false)) }
      // These say how long their bodies are, also where there is none (RFC 9110 §8.6).
      if request.bodyBytes > 0 || ["POST", "PUT", "PATCH"].contains(request.method) {
        try handle.set(.sendsBody, true)
        try handle.set(.bodyBytes, request.bodyBytes)
      }
    }

    /// Less than the server keeps one.
    private static let idleConnectionSeconds = 20

    /// The program that uses the library, as far as a field can say it.
    private static let userAgent: String = {
      let name = ProcessInfo.processInfo.processName.unicodeScalars.filter {
        ("!"..."~").contains($0)
      }
      return "\(String(String.UnicodeScalarView(name))) (MemeMeClient)"
    }()
  }
#endif
