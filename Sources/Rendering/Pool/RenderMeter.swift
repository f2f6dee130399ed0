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

  /// Counts what ended a drawing, unless it was the clock or that nobody waited any more.
  func count(_ error: MemeError) {
    switch error {
    case .renderTimeout: break
    case .rendering(let inner) where inner is CancellationError: break
    default: failed.add()
    }
  }
}
