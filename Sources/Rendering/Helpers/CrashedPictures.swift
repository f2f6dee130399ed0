import Bytes
import Memes
import Synchronization

/// Pictures that crashed helper processes. A picture that has crashed two of them is rejected for a while. Clients
/// retry failed requests, and each retry would cost the start of a process.
///
/// The pictures of one job are rejected only together: the one in a box must not be blamed on the one below it, which
/// may be a template.
final class CrashedPictures: Sendable {
  private struct Entry {
    var count: Int
    var last: ContinuousClock.Instant
  }

  /// The number of crashes after which a picture is rejected.
  private static let tries = 2
  private static let time = Duration.seconds(600)
  private static let most = 1000

  private let digest: Digester
  private let now: @Sendable () -> ContinuousClock.Instant
  private let entries = Mutex<[Digest: Entry]>([:])

  init(
    _ digest: @escaping Digester,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.digest, self.now) = (digest, now)
  }

  /// Records that a process crashed on these files. Without files, no picture is to blame.
  func add(_ files: [Bytes]) {
    guard let key = key(of: files) else { return }
    let now = now()
    entries.withLock { entries in
      entries = entries.filter { now - $0.value.last < Self.time }
      if entries.count >= Self.most, entries[key] == nil,
        let oldest = entries.min(by: { $0.value.last < $1.value.last })
      {
        entries[oldest.key] = nil
      }
      entries[key, default: Entry(count: 0, last: now)].count += 1
      entries[key]?.last = now
    }
  }

  func refuses(_ files: [Bytes]) -> Bool {
    let now = now()
    func isRefused(_ entry: Entry) -> Bool {
      entry.count >= Self.tries && now - entry.last < Self.time
    }
    // Usually no picture is rejected, and no digest is needed.
    guard entries.withLock({ $0.values.contains(where: isRefused) }) else { return false }
    guard let key = key(of: files) else { return false }
    return entries.withLock { $0[key].map(isRefused) ?? false }
  }

  private func key(of files: [Bytes]) -> Digest? {
    guard files.count > 1 else { return files.first.map(digest) }
    return Digest(of: files.map { digest($0).hexadecimal }, digest)
  }
}

extension MemeError {
  static let crashes = MemeError.invalid(
    field: "image",
    InvalidValue(
      code: "broken-picture",
      message: "The picture cannot be decoded. The server will not try it again for ten minutes."))
}
