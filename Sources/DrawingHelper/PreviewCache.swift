import Imaging
import Memes

/// Shrunken pictures that were drawn on lately, for the previews that follow. Belongs to one worker.
///
/// What a person who types sees is drawn again with every word. The file is read and decoded once; what comes of that is
/// a hundredth of its pixels, and kept here until nobody has wanted it for a while.
final class PictureShelf {
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

  private let capacityBytes: Int
  private var entries: [Key: Entry] = [:]
  /// The memory that it takes, about.
  private(set) var bytes = 0

  init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

  /// The picture's pixels, if they are here.
  func take(_ key: Key) -> PixelCopy? {
    entries[key]?.lastUse = .now
    return entries[key]?.pixels
  }

  /// Keeps a picture, in the place of those that nobody has wanted for longest. One that would take more than half of the
  /// room is not kept.
  func put(_ pixels: PixelCopy, _ key: Key) {
    let entry = Entry(pixels: pixels, lastUse: .now)
    guard entry.bytes <= capacityBytes / 2 else { return }
    remove(key)
    while bytes + entry.bytes > capacityBytes,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      remove(oldest.key)
    }
    entries[key] = entry
    bytes += entry.bytes
  }

  /// Lets go of what nobody has wanted for so long.
  func clear(unusedFor time: Duration) {
    let horizon = ContinuousClock.now - time
    for (key, entry) in entries where entry.lastUse <= horizon { remove(key) }
  }

  private func remove(_ key: Key) {
    if let entry = entries.removeValue(forKey: key) { bytes -= entry.bytes }
  }
}
