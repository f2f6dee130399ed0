import Bytes
import Curl
import Foundation

/// A request on its way. Used on the thread of the transfers.
final class S3Transfer: CurlTransfer {
  typealias Completion = @Sendable (Result<S3Response, ObjectError>) -> Void

  let handle: CurlHandle
  private let peer: S3Peer
  private let completion: Completion

  /// Prepares the request without sending it.
  init(
    _ request: S3Request, in bucket: S3Address, as account: S3Credentials, authorities: String?,
    _ completion: @escaping Completion
  ) throws(CurlError) {
    peer = S3Peer(request)
    self.completion = completion
    handle = try CurlHandle(for: peer)
    try request.prepare(handle, in: bucket, as: account, authorities: authorities)
  }

  func finished(_ error: CurlError?) {
    if let failure = peer.failure {
      completion(.failure(failure))
    } else if let error {
      completion(.failure(ObjectError(error)))
    } else if !peer.hasHead {
      // libcurl accepts a response that ends within its head.
      completion(.failure(.unavailable("the response ended within its head")))
    } else {
      completion(
        .success(
          S3Response(
            status: handle.lastStatus, contentRange: peer.contentRange, body: Bytes(peer.received)))
      )
    }
  }
}

extension ObjectError {
  init(_ error: CurlError) {
    self =
      switch error {
      case .untrusted, .malformedURL, .badArgument: .rejected(error.text)
      default: .unavailable(error.text)
      }
  }
}

/// The bodies of a request and of its response.
private final class S3Peer: CurlPeer {
  private var upload: CurlUpload
  private let limit: Int
  private(set) var received: [UInt8] = []
  private var length: Int?
  private(set) var contentRange: String?
  /// Whether the head of the response is complete.
  private(set) var hasHead = false
  private(set) var failure: ObjectError?

  init(_ request: S3Request) {
    upload = CurlUpload(request.body ?? Bytes())
    // An error has a document in the place of an object.
    limit = max(request.limit, S3Request.documentBytes)
  }

  func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? { upload.send(into: buffer) }

  func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    // The head of the final response follows that of an interim one.
    if text.hasPrefix("HTTP/") { (length, contentRange, hasHead) = (nil, nil, false) }
    if text == "\r\n" || text == "\n" { hasHead = true }
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return true }
    switch parts[0].lowercased() {
    case "content-length": length = Int(parts[1].filter { !$0.isWhitespace })
    case "content-range": contentRange = parts[1].trimmingCharacters(in: .whitespacesAndNewlines)
    default: break
    }
    return true
  }

  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking {
    guard piece.count <= limit - received.count else {
      failure = .unreadable("the response has more than \(limit) bytes")
      return .refused
    }
    if received.isEmpty, let length { received.reserveCapacity(min(length, limit)) }
    received.append(contentsOf: piece)
    return .taken
  }
}
