package import Bytes
import Synchronization

/// The content of `/metrics`. Components add parts to it as they are created.
///
/// The page begins empty, because it must exist before the server that it reports on. Safe to use from any thread.
package final class MetricsPage: Sendable {
  /// Writes the current values of some metrics. Must not block its thread.
  package typealias Part = @Sendable (inout MetricsText) async -> Void

  private let parts = Mutex<[Part]>([])

  package init() {}

  /// Appends a part. The part must not retain the object that owns the page.
  package func add(_ part: @escaping Part) { parts.withLock { $0.append(part) } }

  /// Returns the page with the current values.
  package func text() async -> Bytes {
    var text = MetricsText()
    for part in parts.withLock({ $0 }) { await part(&text) }
    return text.finish()
  }
}
