import Imaging
import Memes
package import Metrics
import Synchronization

/// Shrunken pictures that were drawn on lately, for the previews that follow. All render threads share it. Safe to use
/// from any thread.
///
/// What a person who types sees is drawn again with every word. The file is read and decoded once; what comes of that is
/// a hundredth of its pixels, and kept here until nobody has wanted it for a while.
package final class PictureShelf: Sendable {
  /// What the pixels depend on, and nothing else.
  struct Key: Hashable {
    /// Of the file.
    let digest: Digest
    /// What is kept of it; `nil`: all.
    let crop: CropArea?
    /// The longest that they may have.
    let edge: Int
  }

  private struct Entry {
    let pixels: PixelCopy
    var lastUse: ContinuousClock.Instant

    /// A small one takes a place too, so that there are never many to look through.
    var bytes: Int { max(pixels.byteCount, 64 << 10) }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var bytes = 0

    mutating func remove(_ key: Key) {
      if let entry = entries.removeValue(forKey: key) { bytes -= entry.bytes }
    }
  }

  private let capacityBytes: Int
  private let state = Mutex(State())
  /// Pictures that were found.
  package let hits = Counter()

  init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

  /// The memory that it takes, about.
  package var bytes: Int { state.withLock { $0.bytes } }

  /// The picture's pixels, where they are here.
  func take(_ key: Key) -> PixelCopy? {
    let pixels = state.withLock { state in
      state.entries[key]?.lastUse = .now
      return state.entries[key]?.pixels
    }
    if pixels != nil { hits.add() }
    return pixels
  }

  /// Keeps a picture, in the place of those that nobody has wanted for longest. One that would take more than a quarter
  /// of the room is not kept.
  func put(_ pixels: PixelCopy, _ key: Key) {
    let entry = Entry(pixels: pixels, lastUse: .now)
    guard entry.bytes <= capacityBytes / 4 else { return }
    state.withLock { state in
      state.remove(key)
      while state.bytes + entry.bytes > capacityBytes,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.remove(oldest.key)
      }
      state.entries[key] = entry
      state.bytes += entry.bytes
    }
  }

  /// Lets go of what nobody has wanted for so long.
  func clear(unusedFor time: Duration) {
    let horizon = ContinuousClock.now - time
    state.withLock { state in
      for (key, entry) in state.entries where entry.lastUse <= horizon { state.remove(key) }
    }
  }
}
