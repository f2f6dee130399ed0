package import Memes
package import Storage

/// Shows memes to viewers who may see them.
package struct Browsing: Sendable {
  private let store: MemeStore

  package init(store: MemeStore) { self.store = store }

  /// A page of memes that the viewer may see.
  ///
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the author of the list.
  package func page(_ listing: MemeListing) async throws -> Page<Meme> {
    try await store.page(listing)
  }

  /// The same page, as rows of a table.
  package func tableRows(_ listing: MemeListing) async throws -> Page<TableRow> {
    try await store.tableRows(listing)
  }

  /// The same page, as cells of a grid.
  package func gridCells(_ listing: MemeListing) async throws -> Page<GridCell> {
    try await store.gridCells(listing)
  }

  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the meme; ``MemeError/gone`` if it was deleted.
  package func meme(_ id: MemeID, for viewer: Principal) async throws -> Meme {
    try await store.meme(id, for: viewer)
  }

  /// One of a meme's files. Only viewers who own the meme can read its original, because the file may contain
  /// the coordinates of a place.
  ///
  /// - Parameter version: the required version of the meme; `nil` for the current one.
  /// - Throws: ``MemeError/notFound`` if the viewer cannot see the file, or the version never existed;
  ///   ``MemeError/superseded`` if the version is not the current one; ``MemeError/gone``.
  package func picture(
    _ role: PictureRole, of id: MemeID, version: Int? = nil, for viewer: Principal
  ) async throws -> StoredPicture {
    let stored = try await store.picture(role, of: id, for: viewer)
    if let refusal = MemeError.refusal(of: version, at: stored.version) { throw refusal }
    return stored
  }
}

extension MemeError {
  /// The error for a request for another version than the current one; `nil` if the versions match.
  ///
  /// - Parameters:
  ///   - version: the requested version; `nil` if the request names none.
  ///   - current: the version of the meme.
  static func refusal(of version: Int?, at current: Int) -> MemeError? {
    guard let version, version != current else { return nil }
    return version < current ? .superseded : .notFound
  }
}
