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

  private func fetch(_ picture: MissingPicture, by client: MemeMeClient) async -> Bool {
    let size: MemeMeClient.ThumbnailSize = picture.kind == .table ? .table : .grid
    do {
      let file = try await client.thumbnail(picture.meme, size, version: picture.version)
      try await store.keep(file.data, as: picture, imageBytes: imageBytes)
      changes.tell(LibraryUpdate([picture.meme]))
      return true
    } catch MemeMeError.problem(let problem) {
      // The meme was edited or deleted just now. The library will receive that change.
      return problem.status == 404 || problem.status == 410
    } catch { return false }
  }
}
