package import Bytes
import Curl
import HTTP
import Synchronization

/// The end of a download.
package enum PictureDownload: Sendable {
  case received(Bytes)
  /// There is no picture, for this reason.
  case failed(String)
  /// Too many downloads are running and waiting.
  case busy
}

/// Gets pictures from other servers. Follows no redirects, uses no proxies of the environment, and connects only to
/// permitted addresses. Safe to use from any thread.
package struct PictureDownloads: Sendable {
  private let transfers = CurlTransfers(
    CurlTransfers.Limits(running: 8, waiting: 32, waitingTime: .seconds(5)))
  private let destinations: Destinations
  private let maximumBytes: Int
  private let maximumTime: Duration

  /// - Parameters:
  ///   - maximumBytes: the maximum size of a picture.
  ///   - maximumTime: the maximum duration of a download.
  package init(
    _ destinations: Destinations, maximumBytes: Int, maximumTime: Duration = .seconds(10)
  ) {
    (self.destinations, self.maximumBytes) = (destinations, maximumBytes)
    self.maximumTime = maximumTime
  }

  /// Ends the download if the task is canceled.
  ///
  /// - Parameter url: an `http` or `https` URL.
  package func picture(at url: String) async -> PictureDownload {
    let number = Mutex<Int?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let added = transfers.add { [self] () throws(CurlError) in
          try PictureTransfer(self, url) { continuation.resume(returning: $0) }
        } orElse: {
          switch $0 {
          case .tooMany, .tooLate: continuation.resume(returning: .busy)
          case .failed(let error): continuation.resume(returning: .failed(error.text))
          }
        }
        number.withLock { $0 = added }
        // A cancellation before this line found no number.
        if Task.isCancelled { transfers.cancel(added) }
      }
    } onCancel: {
      if let added = number.withLock({ $0 }) { transfers.cancel(added) }
    }
  }

  private final class PictureTransfer: CurlTransfer {
    let handle: CurlHandle
    private let peer: PicturePeer
    private let completion: @Sendable (PictureDownload) -> Void

    init(
      _ downloads: PictureDownloads, _ url: String,
      _ completion: @escaping @Sendable (PictureDownload) -> Void
    ) throws(CurlError) {
      peer = PicturePeer(downloads.destinations, maximumBytes: downloads.maximumBytes)
      self.completion = completion
      handle = try CurlHandle(for: peer)
      try handle.prepare(
        url, connectSeconds: 5, wholeMilliseconds: Int(downloads.maximumTime / .milliseconds(1)))
      try handle.set(.fields, ["Accept: image/*"])
    }

    func finished(_ error: CurlError?) { completion(download(error)) }

    private func download(_ error: CurlError?) -> PictureDownload {
      if let failure = peer.failure { return .failed(failure) }
      if let error { return .failed(error.text) }
      guard handle.lastStatus == 200 else { return .failed("its status is \(handle.lastStatus)") }
      return .received(Bytes(peer.received))
    }
  }
}

private final class PicturePeer: CurlPeer {
  private static let maximumHeadBytes = 64 << 10

  private let destinations: Destinations
  private let maximumBytes: Int
  private var headBytes = 0
  private(set) var received: [UInt8] = []
  /// Why the transfer was ended.
  private(set) var failure: String?

  init(_ destinations: Destinations, maximumBytes: Int) {
    (self.destinations, self.maximumBytes) = (destinations, maximumBytes)
  }

  /// A name may have several addresses. One that is not permitted ends the request, because the name is no good.
  func mayConnect(to address: String) -> Bool {
    // The zone of a link-local address.
    let text = address.prefix { $0 != "%" }
    if let parsed = IPAddress(text), destinations.permits(parsed), failure == nil { return true }
    failure = "the server sends nothing to private addresses"
    return false
  }

  func mayBegin() -> Bool {
    // libcurl sends the request again if a reused connection was dead.
    (headBytes, received) = (0, [])
    return failure == nil
  }

  func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
    headBytes += line.count
    return headBytes <= Self.maximumHeadBytes
  }

  func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking {
    guard piece.count <= maximumBytes - received.count else {
      failure = "it has more than \(maximumBytes) bytes"
      return .refused
    }
    received.append(contentsOf: piece)
    return .taken
  }
}
