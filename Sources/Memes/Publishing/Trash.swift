/// How long what is deleted can be restored.
package struct Trash: Sendable, Equatable {
  private let days: Int

  /// - Parameter days: of 24 hours; 0 where what is deleted is gone at once.
  package init(days: Int) { self.days = days }

  /// Whether anything that is deleted can be restored.
  var keepsAnything: Bool { days > 0 }

  /// What was deleted then or before cannot be restored any more, whether it is purged yet or not.
  func horizon(at now: Timestamp) -> Timestamp {
    Timestamp(millisecondsSince1970: now.millisecondsSince1970 - Int64(days) * 86_400_000)
  }
}
