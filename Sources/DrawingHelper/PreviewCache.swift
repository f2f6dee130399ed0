import Imaging
import Memes

/// A cache of scaled-down pictures for further previews. Belongs to one worker.
///
/// While a user types, the preview is drawn again with every word. The file is read and decoded only once. Its
/// scaled-down pixels, a hundredth of the original's, stay in the cache until they have been unused for a while.
final class PreviewCache {
  /// All parameters that the pixels depend on.
  struct Key: Hashable {
    /// The digest of the file.
    let digest: Digest
    /// The part of the picture; `nil` for the whole picture.
    let crop: CropArea?
    /// The maximum length of the longest edge, in pixels.
    let edge: Int
  }

  private struct Entry {
    let pixels: PixelCopy
    var lastUse: ContinuousClock.Instant

    /// A small entry counts as at least 64 KiB, which limits the number of entries to search.
    var bytes: Int { max(pixels.byteCount, 64 << 10) }
  }

  private let capacityBytes: Int
  private var entries: [Key: Entry] = [:]
  /// The approximate memory of all entries.
  private(set) var bytes = 0

  init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

  /// Returns the cached pixels, if any, and marks them as used.
  func take(_ key: Key) -> PixelCopy? {
    entries[key]?.lastUse = .now
    return entries[key]?.pixels
  }

  /// Caches a picture, and evicts the least recently used entries to make room. Does not cache a picture that needs
  /// more than half of the capacity.
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

  /// Removes entries that have been unused for at least this time.
  func clear(unusedFor time: Duration) {
    let horizon = ContinuousClock.now - time
    for (key, entry) in entries where entry.lastUse <= horizon { remove(key) }
  }

  private func remove(_ key: Key) {
    if let entry = entries.removeValue(forKey: key) { bytes -= entry.bytes }
  }
}
