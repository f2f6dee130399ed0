import Curl

/// The server that runs on this machine with the same settings.
struct LocalServer {
  /// Where it listens.
  let url: String
  private let token: String?
  private let seconds: Int

  /// - Parameters:
  ///   - token: goes into `Authorization`.
  ///   - seconds: how long an answer may take.
  init(_ settings: Settings, token: String? = nil, seconds: Int) {
    url = "\(settings.scheme)://\(Loopback.urlHost(for: settings.host)):\(settings.port)"
    (self.token, self.seconds) = (token, seconds)
  }

  struct Answer {
    let status: Int
    let body: [UInt8]
  }

  /// Sends a request without a body, and waits for the answer.
  func send(_ method: String, _ target: String) throws(CurlError) -> Answer {
    let body = CollectedBody()
    let handle = try CurlHandle(for: body)
    try handle.set(.url, url + target)
    try handle.set(.protocols, "http,https")
    try handle.set(.method, method)
    // Whatever proxy the environment names is not for this machine.
    try handle.set(.proxy, "")
    try handle.set(.connectSeconds, seconds)
    try handle.set(.wholeMilliseconds, 1000 * seconds)
    if let token { try handle.set(.fields, ["Authorization: Bearer \(token)"]) }
    // The certificate names the server's public name, and this asks by the loopback's address.
    try handle.set(.trustsOnlyKnown, false)
    try handle.set(.expectsNamedHost, false)
    try handle.perform()
    return Answer(status: handle.lastStatus, body: body.bytes)
  }
}

/// An answer's body, which is small. Used by one transfer at a time, on its thread.
private final class CollectedBody: CurlPeer {
  private static let maximumBytes = 1 << 20

  private(set) var bytes: [UInt8] = []

  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking {
    guard bytes.count + piece.count <= Self.maximumBytes else { return .refused }
    bytes += piece
    return .taken
  }
}
