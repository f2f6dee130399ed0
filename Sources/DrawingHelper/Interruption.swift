import Memes
import Rendering

/// Records the error that aborted an operation on many frames. It needs no lock: libvips uses one thread per image, and
/// the thread that waits for it reads the error only afterwards.
final class Interruption {
  private(set) var error: (any Error)?

  func isDue(_ ticket: RenderTicket) -> Bool {
    do { try ticket.check() } catch { self.error = error }
    return error != nil
  }
}
