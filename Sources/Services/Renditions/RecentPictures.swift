import Bytes
import Memes
import Synchronization

/// A cache of pictures in memory, limited to a number of bytes. Concurrent callers share one rendering. Safe to use
/// from any thread.
///
/// It has two halves. When the newer half is full, the older one is removed. A picture that is used moves to the newer
/// half.
final class RecentPictures<Key: Hashable & Sendable>: Sendable {
  /// The memory of an entry in addition to its bytes and its key.
  private static var overheadBytes: Int { 1024 }

  private struct State {
    var newer: [Key: PictureFile] = [:]
    var older: [Key: PictureFile] = [:]
    /// The size of the newer half.
    var bytes = 0
  }

  private let capacityBytes: Int
  private let keyBytes: @Sendable (Key) -> Int
  private let state = Mutex(State())
  private let drawing = SingleFlight<Key, PictureFile>()

  /// - Parameter keyBytes: the memory of a key, which a client may make larger than its picture.
  init(capacityBytes: Int, keyBytes: @escaping @Sendable (Key) -> Int = { _ in 0 }) {
    (self.capacityBytes, self.keyBytes) = (capacityBytes, keyBytes)
  }

  func file(
    _ key: Key, _ draw: @escaping @Sendable () async throws -> PictureFile
  ) async throws -> PictureFile {
    if let file = known(key) { return file }
    let file = try await drawing.value(for: key, draw)
    keep(file, as: key)
    return file
  }

  /// The picture, if it is in the cache.
  func known(_ key: Key) -> PictureFile? {
    let file = state.withLock { state in state.newer[key] ?? state.older[key] }
    // Has an effect only if it was in the older half.
    if let file { keep(file, as: key) }
    return file
  }

  private func keep(_ file: PictureFile, as key: Key) {
    let bytes = file.bytes.count + keyBytes(key) + Self.overheadBytes
    guard bytes <= capacityBytes / 2 else { return }
    // Removed pictures are deallocated outside the lock.
    let gone = state.withLock { state -> [Key: PictureFile] in
      guard state.newer[key] == nil else { return [:] }
      var gone: [Key: PictureFile] = [:]
      if state.bytes + bytes > capacityBytes / 2 {
        gone = state.older
        (state.older, state.newer, state.bytes) = (state.newer, [:], 0)
      }
      state.newer[key] = file
      state.bytes += bytes
      return gone
    }
    withExtendedLifetime(gone) {}
  }
}
