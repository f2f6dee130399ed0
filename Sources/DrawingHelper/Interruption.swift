import Memes
import Rendering

/// Why a work of many frames ended early. libvips has one thread for each image, and the one that waits for it looks
/// here only afterwards.
final class Interruption {
  private(set) var error: MemeError?

  func isDue(_ ticket: RenderTicket) -> Bool {
    do throws(MemeError) { try ticket.check() } catch { self.error = error }
    return error != nil
  }
}
