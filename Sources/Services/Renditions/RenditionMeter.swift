package import Metrics

/// The counters of ``Renditions``. Safe to use from any thread.
package struct RenditionMeter: Sendable {
  /// Renditions that were already stored.
  package let found = Counter()
  /// Renditions that were made.
  package let made = Counter()
  /// Renditions that were made and stored.
  package let kept = Counter()
}
