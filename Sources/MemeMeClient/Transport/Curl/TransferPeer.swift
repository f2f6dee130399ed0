#if os(Linux)
  import Curl
  import Foundation

  /// What libcurl asks and tells of a transfer, on its way to the exchange.
  final class TransferPeer: CurlPeer {
    /// When anything was sent or came last.
    private(set) var lastSign = ContinuousClock.now
    /// Whether the answer's body is ahead of its reader.
    private(set) var isHeldBack = false
    private(set) var hasHead = false
    /// Why the transfer was ended from here.
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

    /// - Returns: whether libcurl waits to be told.
    func release() -> Bool {
      isHeldBack = false
      lastSign = .now
      defer { isWaiting = false }
      return isWaiting
    }

    /// libcurl sends a request again where a kept connection ended before there was an answer. That it did not arrive is not
    /// known then, so this is only for what reads; whether the rest is made again is the caller's to say.
    func mayBegin() -> Bool {
      defer { hasBegun = true }
      return !hasBegun || exchange.request.method == "GET"
    }

    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      lastSign = .now
      guard let count = body.next(into: buffer) else {
        failure = .unreadableFile("what waits to be sent cannot be read")
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
      // What comes behind a body.
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
