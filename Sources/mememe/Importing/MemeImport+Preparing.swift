import Bytes
import Memes
import Services
import Storage

/// Preparation: turns a row into a meme that is ready to be stored.
extension MemeImport {
  /// - Parameter time: the creation time of the meme if the row specifies none.
  func prepare(
    _ read: Result<ImportRow, RowFault>, at time: Timestamp
  ) async -> Result<PreparedRow, any Error> {
    let row: ImportRow
    switch read {
    case .success(let read): row = read
    case .failure(let fault): return .success(PreparedRow(.failed(fault)))
    }
    do { return .success(try await prepare(row, at: time)) } catch {
      // A problem with one row must not stop the import of the others.
      guard let fault = RowFault(error) else { return .failure(error) }
      return .success(PreparedRow(.failed(fault)))
    }
  }

  private func prepare(
    _ row: ImportRow, at time: Timestamp
  ) async throws -> PreparedRow {
    // Checked before the picture is read, so that rows imported earlier are skipped quickly.
    if let id = row.draft.id, let outcome = try outcome(of: id) {
      return PreparedRow(outcome, id: id, bringsID: true)
    }
    let (author, files): (Author?, [Bytes])
    switch try parts(of: row) {
    case .success(let parts): (author, files) = parts
    case .failure(let fault): return PreparedRow(.failed(fault))
    }
    var draft = row.draft
    let file = files.first ?? Bytes()
    draft.picture = .image(file)
    draft.boxed = files.dropFirst().map(BoxedPicture.Source.image)
    let draftDigest = draft.digest(picture: digest(file), digest)
    let id = draft.id ?? row.derivedID(draftDigest, digest)
    let bringsID = draft.id != nil
    if !bringsID, let outcome = try outcome(of: id) { return PreparedRow(outcome, id: id) }
    switch mode {
    case .checking(let reader):
      try await check(draft, reader)
      return PreparedRow(.imported, id: id, bringsID: bringsID)
    case .storing(let drawing, let store, let hasRoom):
      guard hasRoom() else { throw MemeError.storageFull }
      let boxes = try await drawing.boxes(draft.boxed, copying: true)
      let rendered = try await drawing.draw(draft, boxes, for: .admin, thumbnails: true)
      var meme = try drawing.newMeme(
        draft, rendered, id: id, by: author, at: row.createdAt ?? time, draftDigest: draftDigest)
      meme.boxed = try boxes.files(of: rendered)
      return PreparedRow(meme, in: store, bringsID: bringsID)
    }
  }

  /// `nil` if the ID is free.
  private func outcome(of id: MemeID) throws -> ImportOutcome? {
    switch try catalogue.status(of: id) {
    case .free: nil
    case .there: .there
    case .deleted: .deleted
    }
  }

  /// The author and the files: the picture, and those in boxes. Or all problems of both.
  private func parts(
    of row: ImportRow
  ) throws -> Result<(Author?, [Bytes]), RowFault> {
    var reasons: [RowFault.Reason] = []
    let author = try row.author.flatMap { name in
      try catalogue.author(named: name)
    }
    if let name = row.author, author == nil {
      reasons.append(.init("author", "No user has the username \(name)."))
    }
    var files: [Bytes] = []
    for (index, path) in ([row.file] + row.boxedFiles).enumerated() {
      do throws(RowFault) { files.append(try pictures.picture(at: path)) } catch {
        reasons += error.reasons.map { reason in
          index == 0
            ? reason : .init("pictures[\(index - 1)].file", reason.message)
        }
      }
    }
    return reasons.isEmpty ? .success((author, files)) : .failure(RowFault(reasons))
  }

  private func check(_ draft: MemeDraft, _ reader: any PictureReader) async throws {
    guard case .image(let file) = draft.picture else { return }
    let facts = try await reader.facts(of: file)
    do throws(InvalidValue) { try draft.recipe.crop?.check(inside: facts.size) } catch {
      throw MemeError.invalid(field: "crop", error)
    }
    for (index, boxed) in draft.boxed.enumerated() {
      guard case .image(let file) = boxed else { continue }
      do { _ = try await reader.facts(of: file) } catch MemeError.invalid("image", let value) {
        throw MemeError.invalid(field: "pictures[\(index)].file", value)
      }
    }
  }
}

extension RowFault {
  /// - Returns: `nil` if the row is not the cause of the error.
  init?(_ error: any Error) {
    switch error {
    case MemeError.invalid("image", let value): self.init("file", value.message)
    case MemeError.invalid(let field, let value): self.init(field, value.message)
    case MemeError.unsupportedPicture:
      self.init("file", "Unsupported picture format.")
    case MemeError.renderTimeout: self.init("file", "Rendering timed out.")
    case MemeError.rendering: self.init("file", "Rendering failed: \(error.reason)")
    case MemeError.aliasTaken:
      self.init("aliases", "Another template has one of these aliases.")
    case MemeError.unauthorized: self.init("author", "The account was deleted during the import.")
    case MemeError.idTaken, MemeError.gone: self.init("id", "Another meme has this ID.")
    default: return nil
    }
  }
}
