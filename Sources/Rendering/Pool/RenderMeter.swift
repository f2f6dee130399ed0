import Memes
package import Metrics

/// What the renderer counts. Safe to use from any thread.
package struct RenderMeter: Sendable {
  /// The drawing of pictures that came out well, from the first byte read to the last one written; the wait before
  /// it is not in it.
  package let seconds = Histogram()
  /// Pictures that could not be drawn: what was sent is broken, or not a picture.
  package let failed = Counter()
  /// Orders that found the queue full.
  package let refused = Counter()
  /// Orders that ran out of time, waiting or while they were drawn.
  package let late = Counter()

  /// Previews that were drawn on a picture that was still there from an earlier one.
  package let previewsFromMemory = Counter()

  /// Counts how a drawing ended, unless it was by the clock or because no client waited any more.
  func count<Value>(_ result: Result<Value, MemeError>, _ began: ContinuousClock.Instant) {
    switch result {
    case .success: seconds.observe(.now - began)
    case .failure(.renderTimeout): break
    case .failure(.rendering(let inner)) where inner is CancellationError: break
    case .failure: failed.add()
    }
  }
}
