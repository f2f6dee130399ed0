package import Metrics

/// Counts attempts to deliver events, by their outcome.
package struct DeliveryMeter: Sendable {
  package let delivered = Counter()
  /// Attempts after which there will be another one.
  package let failed = Counter()
  /// Attempts after which there will be none.
  package let givenUp = Counter()
}
