import Bytes
import HTTP
import Memes
import Synchronization

/// Changes of somebody's memes as server-sent events (WHATWG HTML §9.2), from where the client is on.
///
/// Some are read once the client has taken those before them. Between changes nothing is held but a place in the sequence and
/// an entry in the table of those who wait.
final class ChangeEvents: BodyStream {
  /// After that much silence a comment goes out: proxies give up connections on which nothing moves.
  private static let silence = Duration.seconds(15)
  /// No more than that and one change is in memory at once for a client that is behind.
  private static let pieceBytes = 64 << 10
  private static let comment = Bytes(":\n\n")

  private let syncing: Syncing
  private let viewer: Viewer
  private let subscription: ChangeSubscription
  private let json: SyncJSON
  private let confirm: @Sendable () async throws -> Void
  private let seat: WaitingSeats.Seat
  private let place: Mutex<Place>

  private struct Place {
    var position: SyncPosition
    /// Whether there was nothing behind it when that was looked for.
    var isNewest = false
  }

  /// - Parameters:
  ///   - position: where the client is.
  ///   - subscription: to the viewer's memes, from before that was found out.
  ///   - confirm: throws where the viewer may not be told any more. Called before anything is sent.
  ///   - seat: is free again when the stream is.
  init(
    _ syncing: Syncing, of viewer: Viewer, from position: SyncPosition,
    on subscription: ChangeSubscription, seat: WaitingSeats.Seat, json: SyncJSON,
    confirm: @escaping @Sendable () async throws -> Void
  ) {
    (self.syncing, self.viewer, self.subscription) = (syncing, viewer, subscription)
    (self.seat, self.json, self.confirm) = (seat, json, confirm)
    place = Mutex(Place(position: position))
  }

  /// What a client gets first: when to come back, and the place to come back to if nothing happens before.
  static func beginning(at position: SyncPosition) -> Bytes {
    Bytes("retry: 2000\nid: \(SyncCursor.encode(position))\n\n")
  }

  func next() async -> Bytes? {
    // Whatever is wrong, the client comes back with the last id, and is told then.
    do { return try await piece() } catch { return nil }
  }

  private func piece() async throws -> Bytes? {
    while true {
      let place = place.withLock { $0 }
      if place.isNewest {
        switch await subscription.next(until: .now + Self.silence) {
        case .changed: break
        case .timeUp:
          try await confirm()
          return Self.comment
        case .over: return nil
        }
      }
      let page = try await syncing.changes(
        of: viewer, since: place.position, limit: .standard)
      let (text, end) = text(of: page)
      let isNewest = !page.hasMore && end == page.end
      self.place.withLock { $0 = Place(position: end, isNewest: isNewest) }
      guard !text.isEmpty else { continue }
      try await confirm()
      return text
    }
  }

  /// As much of a page as goes out at once, and where the client is that knows it.
  private func text(of page: SyncPage) -> (text: Bytes, end: SyncPosition) {
    var (text, end) = ([UInt8](), page.start)
    for change in page.changes where text.count < Self.pieceBytes {
      end = page.start.after(change)
      var writer = JSONWriter(capacity: 1536)
      json.write(change, for: viewer, to: &writer)
      text += Array("id: \(SyncCursor.encode(end))\ndata: ".utf8)
      writer.withUnsafeBytes { text += $0 }
      text += Array("\n\n".utf8)
    }
    return (Bytes(text), end)
  }
}
