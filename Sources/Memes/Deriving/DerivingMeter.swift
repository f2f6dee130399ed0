package import Metrics

/// What ``Deriving`` counts. Safe to use from any thread.
package struct DerivingMeter: Sendable {
  /// Pictures that were there.
  package let found = Counter()
  /// Pictures that had to be made.
  package let made = Counter()
  /// Of those, the ones that were kept.
  package let kept = Counter()
}
