import Memes
package import Metrics
import Storage

/// The counters of ``Deriving``. Safe to use from any thread.
package struct DerivingMeter: Sendable {
  /// Renditions that were already stored.
  package let found = Counter()
  /// Renditions that were made.
  package let made = Counter()
  /// Renditions that were made and stored.
  package let kept = Counter()
}
