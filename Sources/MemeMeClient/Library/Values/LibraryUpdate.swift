/// What changed in a library since the last time somebody was told.
public struct LibraryUpdate: Sendable, Hashable {
  /// The memes that are to be looked at again. With ``isAll`` these are not all.
  public private(set) var memes: Set<Meme.ID>
  /// Whether everything is to be looked at again.
  public private(set) var isAll: Bool

  init(_ memes: Set<Meme.ID> = [], isAll: Bool = false) {
    (self.memes, self.isAll) = (memes, isAll)
  }

  var isEmpty: Bool { memes.isEmpty && !isAll }

  /// More than this many are as good as all.
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
