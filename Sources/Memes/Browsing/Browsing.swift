/// Shows memes to those who may see them.
package struct Browsing: Sendable {
  private let store: any MemeStore

  package init(store: any MemeStore) { self.store = store }

  /// A page of what everybody may see, newest first.
  ///
  /// - Parameter position: where the page before ended; `nil` for the first page.
  package func page(
    after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> Page<Meme> {
    try await store.page(after: position, limit: limit.count)
  }

  /// The same page as rows of a table.
  package func tableRows(
    after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> Page<TableRow> {
    try await store.tableRows(after: position, limit: limit.count)
  }

  /// The same page as cells of a grid.
  package func gridCells(
    after position: ListPosition?, limit: PageLimit
  ) async throws(MemeError) -> Page<GridCell> {
    try await store.gridCells(after: position, limit: limit.count)
  }

  /// One meme.
  package func meme(_ id: MemeID) async throws(MemeError) -> Meme {
    try await store.meme(id)
  }

  /// One of a meme's files.
  ///
  /// - Parameter version: the one that the file must be of; `nil` for what there is.
  /// - Throws: ``MemeError/notFound`` for the original where the viewer does not own the meme: it may hold a place's
  ///   coordinates, and what is hidden does not exist; and for a version that never was. ``MemeError/superseded`` for
  ///   one that was.
  package func picture(
    _ role: PictureRole, of id: MemeID, version: Int? = nil, for viewer: Viewer
  ) async throws(MemeError) -> PictureFile {
    guard role != .original || viewer.owns(id) else { throw .notFound }
    let stored = try await store.picture(role, of: id)
    if let refusal = MemeError.refusal(of: version, at: stored.version) { throw refusal }
    return stored.file
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
