/// The changes in a library since the previous update.
public struct LibraryUpdate: Sendable, Hashable {
  /// The memes to reload; empty if ``isAll`` is `true`.
  public private(set) var memes: Set<Meme.ID>
  /// Whether to reload everything.
  public private(set) var isAll: Bool

  init(_ memes: Set<Meme.ID> = [], isAll: Bool = false) {
    (self.memes, self.isAll) = (memes, isAll)
  }

  /// If more memes than this have changed, the update covers everything.
  private static let mostMemes = 256

  mutating func add(_ meme: Meme.ID) {
    guard !isAll else { return }
    memes.insert(meme)
    if memes.count > Self.mostMemes { addAll() }
  }

  mutating func add(_ update: LibraryUpdate) {
    if update.isAll { addAll() } else { update.memes.forEach { add($0) } }
  }

  mutating func addAll() { (memes, isAll) = ([], true) }
}
