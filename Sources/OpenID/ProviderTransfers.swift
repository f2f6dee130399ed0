import Bytes
import Curl
import Foundation
import Synchronization

/// Sends requests to a provider. libcurl blocks, so each request has a thread of its own for its few seconds.
///
/// There is no queue: the number of requests at once also limits what many clients together can make the server send.
/// Safe to use from any thread.
final class ProviderTransfers: Sendable {
  static let maximumRunning = 8

  private let running = Mutex(0)

  /// Sends the request, and returns the response, whatever its status.
  ///
  /// - Parameter time: the time for the whole transfer.
  func run(
    _ request: ProviderRequest, within time: Duration
  ) async throws(OpenIDError) -> ProviderResponse {
    let milliseconds = Int(time / .milliseconds(1))
    // libcurl treats 0 as no limit.
    guard milliseconds >= 1 else { throw .failed("the provider took too long") }
    guard begin() else { throw .busy }
    let result: Result<ProviderResponse, OpenIDError> = await withCheckedContinuation { caller in
      Thread.detachNewThread {
        Self.blockBrokenPipes()
        let result = Self.perform(request, milliseconds: milliseconds)
        self.running.withLock { $0 -= 1 }
        caller.resume(returning: result)
      }
    }
    return try result.get()
  }

  private func begin() -> Bool {
    running.withLock { running in
      guard running < Self.maximumRunning else { return false }
      running += 1
      return true
    }
  }

  private static func perform(
    _ request: ProviderRequest, milliseconds: Int
  ) -> Result<ProviderResponse, OpenIDError> {
    let peer = ProviderPeer(request.body ?? Bytes())
    do throws(CurlError) {
      let handle = try CurlHandle(for: peer)
      try request.prepare(handle, milliseconds: milliseconds)
      try handle.perform()
      return .success(ProviderResponse(status: handle.lastStatus, body: Bytes(peer.received)))
    } catch {
      return .failure(
        peer.isTooLong
          ? .failed("the response has more than \(ProviderRequest.maximumBytes) bytes")
          : OpenIDError(error))
    }
  }

  /// A write to a closed connection returns an error and also raises SIGPIPE, which would end a command.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}

/// The response of a provider.
struct ProviderResponse: Sendable {
  let status: Int
  let body: Bytes
}

/// The bodies of a request and of its response. Used on the thread of the transfer.
private final class ProviderPeer: CurlPeer {
  private var upload: CurlUpload
  private var headBytes = 0
  private(set) var received: [UInt8] = []
  private(set) var isTooLong = false

  init(_ body: Bytes) { upload = CurlUpload(body) }

  func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? { upload.send(into: buffer) }

  func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headBytes += line.count
    isTooLong = headBytes > ProviderRequest.maximumBytes
    return !isTooLong
  }

  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking {
    guard piece.count <= ProviderRequest.maximumBytes - received.count else {
      isTooLong = true
      return .refused
    }
    received.append(contentsOf: piece)
    return .taken
  }
}
