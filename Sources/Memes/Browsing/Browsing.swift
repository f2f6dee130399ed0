/// Shows memes to those who may see them.
package struct Browsing: Sendable {
  private let store: any MemeStore

  package init(store: any MemeStore) { self.store = store }

  /// A page of what the viewer may see, newest first.
  ///
  /// - Throws: ``MemeError/notFound`` where there is no such author for this viewer.
  package func page(_ listing: MemeListing) async throws(MemeError) -> Page<Meme> {
    try await store.page(listing)
  }

  /// The same page as rows of a table.
  package func tableRows(_ listing: MemeListing) async throws(MemeError) -> Page<TableRow> {
    try await store.tableRows(listing)
  }

  /// The same page as cells of a grid.
  package func gridCells(_ listing: MemeListing) async throws(MemeError) -> Page<GridCell> {
    try await store.gridCells(listing)
  }

  /// One meme.
  ///
  /// - Throws: ``MemeError/notFound`` where there is none that the viewer may see, ``MemeError/gone`` where there was one.
  package func meme(_ id: MemeID, for viewer: Viewer) async throws(MemeError) -> Meme {
    try await store.meme(id, for: viewer)
  }

  /// One of a meme's files.
  ///
  /// - Parameter version: the one that the file must be of; `nil` for what there is.
  /// - Throws: ``MemeError/notFound`` where there is none that the viewer may see: the original is for who owns the meme,
  ///   since it may hold a place's coordinates; and for a version that never was. ``MemeError/superseded`` for
  ///   one that was. ``MemeError/gone``.
  package func picture(
    _ role: PictureRole, of id: MemeID, version: Int? = nil, for viewer: Viewer
  ) async throws(MemeError) -> StoredPicture {
    let stored = try await store.picture(role, of: id, for: viewer)
    if let refusal = MemeError.refusal(of: version, at: stored.version) { throw refusal }
    return stored
  }
}

extension MemeError {
  /// Why there is no picture of a version; `nil` where there is.
  ///
  /// - Parameters:
  ///   - version: the one that is asked for, if one is.
  ///   - current: the meme's.
  static func refusal(of version: Int?, at current: Int) -> MemeError? {
    guard let version, version != current else { return nil }
    return version < current ? .superseded : .notFound
  }
}

/// How many items a page has at most: 1 to 100.
package struct PageLimit: Hashable, Sendable {
  package static let range = 1...100
  package static let standard = PageLimit(unchecked: 30)

  package let count: Int

  package init(_ count: Int) throws(InvalidValue) {
    guard Self.range.contains(count) else {
      throw InvalidValue(
        code: "out-of-range",
        message: "A whole number from \(Self.range.lowerBound) to \(Self.range.upperBound).")
    }
    self.count = count
  }

  private init(unchecked count: Int) { self.count = count }
}
