import Foundation

/// Blocks the calling thread.
func pause(_ duration: Duration) {
  Thread.sleep(forTimeInterval: duration / .seconds(1))
}
