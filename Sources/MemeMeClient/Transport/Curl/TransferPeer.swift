#if os(Linux)
  import Curl
  import Foundation

  /// Passes libcurl's callbacks for a transfer to its exchange.
  final class TransferPeer: CurlPeer {
    /// The time when data was last sent or received.
    private(set) var lastSign = ContinuousClock.now
    /// Whether the response body is ahead of its reader.
    private(set) var isHeldBack = false
    private(set) var hasHead = false
    /// The reason why the client ended the transfer.
    private(set) var failure: MemeMeError?

    private let exchange: Exchange
    private var body: OutgoingBody
    private var sentBytes: Int64 = 0
    private var reader = HeadReader()
    private var hasBegun = false
    private var isWaiting = false

    init(for exchange: Exchange) throws {
      self.exchange = exchange
      body = try OutgoingBody(exchange.request.body)
    }

    /// - Returns: Whether libcurl waits to be resumed.
    func release() -> Bool {
      isHeldBack = false
      lastSign = .now
      defer { isWaiting = false }
      return isWaiting
    }

    /// libcurl sends a request again if an idle connection closes before the response. The server may have received the
    /// first one, so only reads may be repeated here. For other requests, the caller decides.
    func mayBegin() -> Bool {
      defer { hasBegun = true }
      return !hasBegun || exchange.request.method == "GET"
    }

    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      lastSign = .now
      guard let count = body.next(into: buffer) else {
        failure = .unreadableFile("cannot read the queued upload")
        return nil
      }
      if count > 0 {
        sentBytes += Int64(count)
        exchange.sent(sentBytes)
      }
      return count
    }

    func takeLine(_ line: UnsafeRawBufferPointer) -> Bool {
      lastSign = .now
      // Trailer fields after the body.
      if hasHead { return true }
      do throws(HeadReader.Failure) {
        guard let head = try reader.take(line) else { return true }
        hasHead = true
        exchange.received(head)
        return true
      } catch {
        failure = .connection(.badServerResponse)
        return false
      }
    }

    func takeBody(_ piece: UnsafeRawBufferPointer) -> CurlTaking {
      lastSign = .now
      guard !isHeldBack else {
        isWaiting = true
        return .later
      }
      isHeldBack = !exchange.received(Data(piece))
      return .taken
    }
  }
#endif
