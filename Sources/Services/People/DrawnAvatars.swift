import Memes
import Synchronization

/// A cache of generated avatars. Concurrent callers share one rendering. Safe to use from any thread.
final class DrawnAvatars: Sendable {
  /// A picture has some kilobytes.
  private static let maximumCount = 512

  private struct Key: Hashable {
    let look: DrawnAvatar
    let size: AvatarSize
  }

  private let kept = Mutex<[Key: PictureFile]>([:])
  private let drawing = SingleFlight<Key, PictureFile>()

  func file(
    _ look: DrawnAvatar, _ size: AvatarSize,
    _ draw: @escaping @Sendable () async throws -> PictureFile
  ) async throws -> PictureFile {
    let key = Key(look: look, size: size)
    if let file = kept.withLock({ $0[key] }) { return file }
    let file = try await drawing.value(for: key, draw)
    kept.withLock { kept in
      if kept.count >= Self.maximumCount { kept.removeAll() }
      kept[key] = file
    }
    return file
  }
}
