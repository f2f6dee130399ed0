import Bytes

/// From a row to a meme that only has to be kept.
extension Importing {
  /// - Parameter time: when the meme is made, where the row does not say.
  func prepare(
    _ read: Result<ImportRow, RowFault>, at time: Timestamp
  ) async -> Result<PreparedRow, MemeError> {
    let row: ImportRow
    switch read {
    case .success(let read): row = read
    case .failure(let fault): return .success(PreparedRow(.failed(fault)))
    }
    do throws(MemeError) { return .success(try await prepare(row, at: time)) } catch {
      // What is wrong with one row is no reason to leave the others.
      guard let fault = RowFault(error) else { return .failure(error) }
      return .success(PreparedRow(.failed(fault)))
    }
  }

  private func prepare(
    _ row: ImportRow, at time: Timestamp
  ) async throws(MemeError) -> PreparedRow {
    // Without a look at the picture: what was imported before is passed over fast.
    if let id = row.draft.id, let outcome = try outcome(of: id) {
      return PreparedRow(outcome, id: id, bringsID: true)
    }
    let (author, file): (Author?, Bytes)
    switch try parts(of: row) {
    case .success(let parts): (author, file) = parts
    case .failure(let fault): return PreparedRow(.failed(fault))
    }
    var draft = row.draft
    draft.picture = .image(file)
    let draftDigest = draft.digest(picture: digest(file), digest)
    let id = draft.id ?? row.derivedID(draftDigest, digest)
    let bringsID = draft.id != nil
    if !bringsID, let outcome = try outcome(of: id) { return PreparedRow(outcome, id: id) }
    switch maker {
    case .checking(let reader):
      try await check(draft, reader)
      return PreparedRow(.imported, id: id, bringsID: bringsID)
    case .keeping(let drawing, let store, let hasRoom):
      guard hasRoom() else { throw .storageFull }
      let rendered = try await drawing.draw(
        on: draft.picture, for: .admin, draft.recipe, format: draft.format,
        among: draft.acceptableFormats, thumbnails: true)
      let meme = try NewMeme(
        draft, rendered, maxEdge: draft.recipe.maxEdge ?? drawing.defaultMaxEdge, id: id,
        by: author, at: row.createdAt ?? time, draftDigest: draftDigest)
      return PreparedRow(meme, in: store, bringsID: bringsID)
    }
  }

  /// `nil` where there is nothing of this id.
  private func outcome(of id: MemeID) throws(MemeError) -> ImportOutcome? {
    switch try catalogue.standing(of: id) {
    case .free: nil
    case .there: .there
    case .deleted: .deleted
    }
  }

  /// Who made it, and the picture; or everything that is wrong with both.
  private func parts(
    of row: ImportRow
  ) throws(MemeError) -> Result<(Author?, Bytes), RowFault> {
    var reasons: [RowFault.Reason] = []
    let author = try row.author.flatMap { name throws(MemeError) in
      try catalogue.author(named: name)
    }
    if let name = row.author, author == nil {
      reasons.append(.init("author", "Nobody has the username \(name)."))
    }
    do throws(RowFault) {
      let file = try pictures.picture(at: row.file)
      if reasons.isEmpty { return .success((author, file)) }
    } catch { reasons += error.reasons }
    return .failure(RowFault(reasons))
  }

  private func check(_ draft: MemeDraft, _ reader: any PictureReader) async throws(MemeError) {
    guard case .image(let file) = draft.picture else { return }
    let facts = try await reader.facts(of: file)
    do throws(InvalidValue) { try draft.recipe.crop?.check(inside: facts.size) } catch {
      throw .invalid(field: "crop", error)
    }
  }
}

extension RowFault {
  /// - Returns: `nil` where the row is not to blame.
  fileprivate init?(_ error: MemeError) {
    switch error {
    case .invalid("image", let value): self.init("file", value.message)
    case .invalid(let field, let value): self.init(field, value.message)
    case .unsupportedPicture: self.init("file", "This is not a picture of a kind that is read.")
    case .renderTimeout: self.init("file", "To draw it takes too long.")
    case .rendering: self.init("file", "It cannot be drawn: \(error.reason)")
    case .unauthorized: self.init("author", "The person left meanwhile.")
    case .idTaken, .gone: self.init("id", "Something else has this id.")
    default: return nil
    }
  }
}
