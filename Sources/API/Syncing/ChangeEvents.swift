import Bytes
import HTTP
import Memes
import Storage
import Synchronization

/// Changes of a user's memes as server-sent events (WHATWG HTML §9.2), from the client's position onward.
///
/// The stream reads further changes only after the client has received the previous ones. Between changes, it holds
/// only a position and a subscription.
final class ChangeEvents: BodyStream {
  /// The stream sends a comment after this time without changes, because proxies close idle connections.
  private static let silence = Duration.seconds(15)
  /// The maximum size of one chunk in bytes, not counting its last change. It limits the memory for a
  /// client that lags behind.
  private static let pieceBytes = 64 << 10
  private static let comment = Bytes(":\n\n")

  private let memes: MemeStore
  private let listener: ChangeListener
  private let json: SyncJSON
  private let confirm: @Sendable () async throws -> Void
  private let place: Mutex<Place>

  private struct Place {
    var position: SyncPosition
    /// Whether there were no changes after the position when they were last read.
    var isNewest = false
  }

  /// - Parameters:
  ///   - listener: released together with the stream. Its subscription began before the position was determined.
  ///   - position: the position of the client.
  ///   - confirm: throws if the viewer is no longer authorized. Called before anything is sent.
  init(
    _ memes: MemeStore, for listener: ChangeListener, from position: SyncPosition, json: SyncJSON,
    confirm: @escaping @Sendable () async throws -> Void
  ) {
    (self.memes, self.listener) = (memes, listener)
    (self.json, self.confirm) = (json, confirm)
    place = Mutex(Place(position: position))
  }

  /// The first event: the reconnection delay, and the position at which to resume if no change follows.
  static func beginning(at position: SyncPosition) -> Bytes {
    Bytes("retry: 2000\nid: \(SyncCursor.encode(position))\n\n")
  }

  func next() async -> Bytes? {
    // After any error, the client reconnects with the last ID and receives the error then.
    do { return try await piece() } catch { return nil }
  }

  private func piece() async throws -> Bytes? {
    while true {
      let place = place.withLock { $0 }
      if place.isNewest {
        switch await listener.subscription.next(until: .now + Self.silence) {
        case .changed: break
        case .timeUp:
          try await confirm()
          return Self.comment
        case .over: return nil
        }
      }
      let page = try await memes.changes(
        of: listener.viewer, since: place.position, limit: PageLimit.standard.count)
      let (text, end) = text(of: page)
      let isNewest = !page.hasMore && end == page.end
      self.place.withLock { $0 = Place(position: end, isNewest: isNewest) }
      guard !text.isEmpty else { continue }
      try await confirm()
      return text
    }
  }

  /// Writes as many changes of a page as one chunk holds.
  ///
  /// - Returns: the chunk, and the position after its last change.
  private func text(of page: SyncPage) -> (text: Bytes, end: SyncPosition) {
    var (text, end) = ([UInt8](), page.start)
    for change in page.changes where text.count < Self.pieceBytes {
      end = page.start.after(change)
      var writer = JSONWriter(capacity: 1536)
      json.write(change, for: listener.viewer, to: &writer)
      text += Array("id: \(SyncCursor.encode(end))\ndata: ".utf8)
      writer.withUnsafeBytes { text += $0 }
      text += Array("\n\n".utf8)
    }
    return (Bytes(text), end)
  }
}
