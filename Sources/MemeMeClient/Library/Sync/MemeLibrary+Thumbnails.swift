// Thumbnails are downloaded after the memes that they belong to. Other operations do not wait for them.
extension MemeLibrary {
  private static let fetchesAtOnce = 4
  private static let batch = 64

  /// Downloads missing and outdated thumbnails. If a download fails, a later call tries again.
  func fetchThumbnails() async {
    var tried: Set<MissingPicture> = []
    let client = current
    while !Task.isCancelled, isConfirmed(client),
      let missing = try? store.missingThumbnails(limit: Self.batch, but: tried), !missing.isEmpty
    {
      tried.formUnion(missing)
      guard await fetch(missing, by: client.client) else { return }
    }
  }

  /// - Returns: Whether the server can be reached.
  private func fetch(_ missing: [MissingPicture], by client: MemeMeClient) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      var isReachable = true
      for (index, picture) in missing.enumerated() {
        if index >= Self.fetchesAtOnce { isReachable = await group.next() ?? true }
        guard isReachable else { break }
        group.addTask { await self.fetch(picture, by: client) }
      }
      for await answered in group { isReachable = isReachable && answered }
      return isReachable
    }
  }

  /// - Returns: Whether other thumbnails may be available now.
  private func fetch(_ picture: MissingPicture, by client: MemeMeClient) async -> Bool {
    let size: MemeMeClient.ThumbnailSize = picture.kind == .table ? .table : .grid
    do {
      let file = try await client.thumbnail(picture.meme, size, version: picture.version)
      try await store.keep(file.data, as: picture, imageBytes: imageBytes)
      changes.tell(LibraryUpdate([picture.meme]))
      return true
    } catch MemeMeError.problem(let problem) {
      // The server cannot draw this one; or the meme was edited or deleted just now, and the library will receive that
      // change.
      return ![401, 403, 429, 503].contains(problem.status) || problem.code == .renderTimeout
    } catch { return false }
  }
}
