/// How long deleted memes can be restored.
package struct Trash: Sendable, Equatable {
  private let days: Int

  /// - Parameter days: days of 24 hours; 0 if deleted memes cannot be restored.
  package init(days: Int) { self.days = days }

  /// Whether deleted memes can be restored at all.
  package var keepsAnything: Bool { days > 0 }

  /// Memes deleted at this time or earlier can no longer be restored, whether or not they are purged yet.
  package func horizon(at now: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: now.millisecondsSince1970 - Int64(days) * 86_400_000)
  }
}
