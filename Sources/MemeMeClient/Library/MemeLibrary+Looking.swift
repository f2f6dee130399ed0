public import Foundation
import Synchronization

// What is there to be seen. It comes from the disk, and off the caller's thread.
extension MemeLibrary {
  /// The person's memes, newest first, with small thumbnails.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - last: the last one of the page before; `nil` for the first page.
  @concurrent public func table(
    limit: Int = 100, after last: LibraryItem? = nil
  ) async throws(LibraryError) -> [LibraryItem] {
    try items(.table, limit, last)
  }

  /// The person's memes, newest first, with larger thumbnails.
  ///
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - last: the last one of the page before; `nil` for the first page.
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

  /// All that is known of one meme.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``.
  @concurrent public func meme(_ id: Meme.ID) async throws(LibraryError) -> LibraryMeme {
    try store.meme(id, progress: uploads.withLock { $0[id] })
  }

  /// Changes that were not taken, newest first.
  @concurrent public func drafts() async throws(LibraryError) -> [LibraryDraft] {
    try store.drafts()
  }

  /// The username of whose library it is; `nil` where it has never met the server.
  @concurrent public func owner() async throws(LibraryError) -> String? {
    try store.person()?.split(separator: " ").first.map(String.init)
  }

  /// How much is still to be sent.
  @concurrent public func waitingCount() async throws(LibraryError) -> Int {
    try store.waitingCount()
  }

  /// A whole image, and what it shows.
  public enum Image: Sendable, Hashable {
    /// The meme as it is on the server.
    case current(Data)
    /// The meme as it was before an edit, where what it is now cannot be fetched.
    case earlier(Data)
    /// The picture that a meme will be made of.
    case original(Data)
  }

  /// The whole image of a meme: that which is kept here, or else fetched, and kept from now on.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``; and ``MemeMeError`` where nothing is here and nothing can be fetched.
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
