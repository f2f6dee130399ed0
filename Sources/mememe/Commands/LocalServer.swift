import Curl

/// A client for the server that runs on this machine with the same settings.
struct LocalServer {
  /// The URL on which the server listens.
  let url: String
  private let token: String?
  private let seconds: Int

  /// - Parameters:
  ///   - token: sent in the `Authorization` field.
  ///   - seconds: the timeout of a request.
  init(_ settings: Settings, token: String? = nil, seconds: Int) {
    url = "\(settings.scheme)://\(Loopback.urlHost(for: settings.host)):\(settings.port)"
    (self.token, self.seconds) = (token, seconds)
  }

  struct Answer {
    let status: Int
    let body: [UInt8]
  }

  /// Sends a request without a body, and waits for the response.
  func send(_ method: String, _ target: String) throws(CurlError) -> Answer {
    let body = CollectedBody()
    let handle = try CurlHandle(for: body)
    try handle.set(.url, url + target)
    try handle.set(.protocols, "http,https")
    try handle.set(.method, method)
    // A proxy of the environment must not be used for this machine.
    try handle.set(.proxy, "")
    try handle.set(.connectSeconds, seconds)
    try handle.set(.wholeMilliseconds, 1000 * seconds)
    if let token { try handle.set(.fields, ["Authorization: Bearer \(token)"]) }
    // The certificate has the server's public name, but this client connects to the loopback address.
    try handle.set(.trustsOnlyKnown, false)
    try handle.set(.expectsNamedHost, false)
    try handle.perform()
    return Answer(status: handle.lastStatus, body: body.bytes)
  }
}

/// Collects a response body of at most 1 MiB. Used by one transfer at a time, on its thread.
private final class CollectedBody: CurlPeer {
  private static let maximumBytes = 1 << 20

  private(set) var bytes: [UInt8] = []

  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking {
    guard bytes.count + piece.count <= Self.maximumBytes else { return .refused }
    bytes += piece
    return .taken
  }
}
