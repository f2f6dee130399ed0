import Memes
package import Metrics

/// The metrics of the renderer. Safe to use from any thread.
package struct RenderMeter: Sendable {
  /// The duration of successful renders, from the first byte read to the last byte
  /// written. Excludes the wait before it.
  package let seconds = Histogram()
  /// Pictures that could not be drawn because the file is broken or not a picture.
  package let failed = Counter()
  /// Orders rejected because the pool was overloaded.
  package let refused = Counter()
  /// Orders that ran out of time, waiting or while being drawn.
  package let late = Counter()

  /// Previews drawn on a picture from the preview cache.
  package let previewsFromMemory = Counter()

  /// Counts the outcome of a render, unless it timed out or no client waited for it.
  func count<Value>(_ result: Result<Value, any Error>, _ began: ContinuousClock.Instant) {
    switch result {
    case .success: seconds.observe(.now - began)
    case .failure(MemeError.renderTimeout): break
    case .failure(MemeError.rendering(let inner)) where inner is CancellationError: break
    case .failure: failed.add()
    }
  }
}
