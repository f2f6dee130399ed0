public import Foundation
import Synchronization

// Reading the library. Content is read from the disk, off the caller's thread.
extension MemeLibrary {
  /// Returns the library's memes, newest first, with small thumbnails.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of memes.
  ///   - last: The last item of the previous page; `nil` for the first page.
  @concurrent public func table(
    limit: Int = 100, after last: LibraryItem? = nil
  ) async throws(LibraryError) -> [LibraryItem] {
    try items(.table, limit, last)
  }

  /// Returns the library's memes, newest first, with larger thumbnails.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of memes.
  ///   - last: The last item of the previous page; `nil` for the first page.
  @concurrent public func grid(
    limit: Int = 100, after last: LibraryItem? = nil
  ) async throws(LibraryError) -> [LibraryItem] {
    try items(.grid, limit, last)
  }

  private func items(
    _ thumbnail: PictureKind, _ limit: Int, _ last: LibraryItem?
  ) throws(LibraryError) -> [LibraryItem] {
    let view = LibraryView(thumbnail: thumbnail, progress: uploads.withLock { $0 })
    return try store.items(view, limit: max(1, limit), after: last)
  }

  /// Returns everything that the library knows about one meme.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``.
  @concurrent public func meme(_ id: Meme.ID) async throws(LibraryError) -> LibraryMeme {
    try store.meme(id, progress: uploads.withLock { $0[id] })
  }

  /// Returns the drafts, newest first.
  @concurrent public func drafts() async throws(LibraryError) -> [LibraryDraft] {
    try store.drafts()
  }

  /// Returns the username of the library's owner; `nil` before the first sync.
  @concurrent public func owner() async throws(LibraryError) -> String? {
    try store.owner()?.username
  }

  /// Returns whether the library can sync for a user: the library has no owner yet, or the user is its owner, perhaps
  /// under another username.
  @concurrent public func canBelong(to user: User) async throws(LibraryError) -> Bool {
    guard let owner = try store.owner() else { return true }
    return owner.isSame(as: LibraryOwner(user))
  }

  /// Returns the number of changes that wait to be sent.
  @concurrent public func waitingCount() async throws(LibraryError) -> Int {
    try store.waitingCount()
  }

  /// A full-size image, and the state of the meme that it shows.
  public enum Image: Sendable, Hashable {
    /// The current state of the meme on the server.
    case current(Data)
    /// The meme before an edit, because the current image cannot be downloaded.
    case earlier(Data)
    /// The source picture of a meme that the server has not created yet.
    case original(Data)
  }

  /// Returns the full-size image of a meme, from the cache if possible. Otherwise the image is downloaded and cached.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``; ``MemeMeError`` if the image is neither cached nor available for download.
  @concurrent public func image(of id: Meme.ID) async throws -> Image {
    if let original = try store.original(of: id) { return .original(original) }
    guard let meme = try store.meme(id, progress: nil).meme else { throw LibraryError.noSuchMeme }
    let kept = try store.picture(.image, of: id)
    if let kept, kept.version == meme.version {
      try await store.touchImage(of: id)
      return .current(kept.data)
    }
    do {
      let image = try await client.image(id, version: meme.version)
      let picture = MissingPicture(meme: id, version: meme.version, kind: .image)
      try await store.keep(image.data, as: picture, imageBytes: imageBytes)
      return .current(image.data)
    } catch {
      guard let kept, !(error is CancellationError) else { throw error }
      return .earlier(kept.data)
    }
  }
}
