import Bytes
import Curl
import HTTP
import Synchronization

/// Posts webhooks. Follows no redirects, uses no proxies of the environment, and connects only to permitted addresses.
/// Safe to use from any thread.
package struct WebhookClient: Sendable {
  private let transfers = CurlTransfers(
    CurlTransfers.Limits(running: 128, waiting: 256, waitingTime: .seconds(15)))
  private let destinations: Destinations

  package init(_ destinations: Destinations) { self.destinations = destinations }

  package func post(_ request: WebhookRequest) async -> WebhookResponse {
    await withCheckedContinuation { continuation in
      transfers.add { [destinations] () throws(CurlError) in
        try WebhookTransfer(request, to: destinations) { continuation.resume(returning: $0) }
      } orElse: {
        continuation.resume(returning: .failed($0.text))
      }
    }
  }
}

private final class WebhookTransfer: CurlTransfer {
  let handle: CurlHandle
  private let peer: WebhookPeer
  private let completion: @Sendable (WebhookResponse) -> Void

  init(
    _ request: WebhookRequest, to destinations: Destinations,
    _ completion: @escaping @Sendable (WebhookResponse) -> Void
  ) throws(CurlError) {
    peer = WebhookPeer(request.body, destinations)
    self.completion = completion
    handle = try CurlHandle(for: peer)
    try handle.prepare(request.url, connectSeconds: 10, wholeMilliseconds: 15_000)
    try handle.set(.method, "POST")
    try handle.set(.sendsBody, true)
    try handle.set(.bodyBytes, Int64(request.body.count))
    // Without the empty field, libcurl would wait for an interim response before a longer body.
    try handle.set(.fields, ["Content-Type: application/json", "Expect:"] + request.fields)
  }

  func finished(_ error: CurlError?) {
    completion(response(error))
  }

  private func response(_ error: CurlError?) -> WebhookResponse {
    // The address may be one of an internal network, which the owner of the connection need not know.
    if peer.isRefused { return .failed("The server sends nothing to the address of this host.") }
    // The rest of a long body is of no interest.
    if let error, !peer.isCut { return .failed(error.text) }
    guard peer.hasHead else { return .failed("The response ended within its head.") }
    return .answered(
      status: handle.lastStatus, head: peer.head, retryAfter: peer.retryAfter)
  }
}

private final class WebhookPeer: CurlPeer {
  /// A longer response is cut.
  private static let maximumBytes = 64 << 10

  private var upload: CurlUpload
  private let body: Bytes
  private let destinations: Destinations
  private var received = 0
  private var lines: [UInt8] = []
  private(set) var retryAfter: Int?
  private(set) var hasHead = false
  private(set) var isCut = false
  /// Whether the host has an address that is not permitted.
  private(set) var isRefused = false

  init(_ body: Bytes, _ destinations: Destinations) {
    (self.body, self.destinations, upload) = (body, destinations, CurlUpload(body))
  }

  /// A name may have several addresses. One that is not permitted ends the request, because the name is no good.
  func mayConnect(to address: String) -> Bool {
    // The zone of a link-local address.
    let text = address.prefix { $0 != "%" }
    let isPermitted = IPAddress(text).map(destinations.permits) ?? false
    if !isPermitted { isRefused = true }
    return !isRefused
  }

  func mayBegin() -> Bool {
    // libcurl sends the request again if a reused connection was dead.
    upload = CurlUpload(body)
    return !isRefused
  }

  func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? { upload.send(into: buffer) }

  func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    // The head of the final response follows that of an interim one.
    if text.hasPrefix("HTTP/") { (lines, retryAfter, hasHead) = ([], nil, false) }
    if text == "\r\n" || text == "\n" { hasHead = true }
    let room = WebhookResponse.maximumHeadBytes - lines.count
    if !hasHead { lines.append(contentsOf: line.prefix(max(0, room))) }
    let parts = text.split(separator: ":", maxSplits: 1)
    if parts.count == 2, parts[0].lowercased() == "retry-after" {
      retryAfter = Int(parts[1].filter { !$0.isWhitespace }).map { min(max($0, 0), 86_400) }
    }
    received += line.count
    isCut = received > Self.maximumBytes
    return !isCut
  }

  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking {
    received += piece.count
    isCut = received > Self.maximumBytes
    return isCut ? .refused : .taken
  }

  /// The head as text for people. Invalid UTF-8 and control characters are replaced.
  var head: String {
    let text = String(decoding: lines, as: UTF8.self).split(whereSeparator: \.isNewline)
      .joined(separator: "\n")
    return String(
      text.unicodeScalars.map { scalar in
        scalar == "\n" || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value))
          ? Character(scalar) : "\u{FFFD}"
      })
  }
}
