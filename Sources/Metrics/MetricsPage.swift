package import Bytes
import Synchronization

/// What `/metrics` shows: parts that are added as they are made, each of which writes its own.
///
/// The page is needed for making the server that it tells of, so it begins empty. Safe to use from any thread.
package final class MetricsPage: Sendable {
  /// Reads what it tells of and writes it. Called on the thread of whoever asks; it must not wait for anybody.
  package typealias Part = @Sendable (inout MetricsText) -> Void

  private let parts = Mutex<[Part]>([])

  package init() {}

  /// Adds a part behind the others. It must not keep alive what the page belongs to.
  package func add(_ part: @escaping Part) { parts.withLock { $0.append(part) } }

  /// The page as of now.
  package func text() -> Bytes {
    var text = MetricsText()
    for part in parts.withLock({ $0 }) { part(&text) }
    return text.finish()
  }
}
