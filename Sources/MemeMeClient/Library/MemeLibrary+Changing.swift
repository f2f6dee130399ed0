public import Foundation

// What somebody does. It is durable when the call returns, and sent when the server can be reached.
extension MemeLibrary {
  /// Makes a meme.
  ///
  /// - Parameter picture: the file: JPEG, PNG, GIF or WebP.
  /// - Returns: the id that it has here and on the server.
  @discardableResult
  public func create(
    _ fields: MemeFields = MemeFields(), picture: Data
  ) async throws(LibraryError) -> Meme.ID {
    let meme = try await store.create(MemeEdit(fields), picture: picture)
    changed(meme)
    return meme
  }

  /// Edits a meme, sent or not. Of one that the server did not take, the draft is edited, which ``apply(_:with:)`` sends.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``; ``LibraryError/pictureStays`` where the edit has another picture.
  public func edit(_ meme: Meme.ID, _ edit: MemeEdit) async throws(LibraryError) {
    guard !edit.changesPicture else { throw .pictureStays }
    try await store.edit(meme, edit)
    changed(meme)
  }

  /// Deletes a meme, sent or not, and the drafts of it.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``.
  public func delete(_ meme: Meme.ID) async throws(LibraryError) {
    try await store.delete(meme)
    changed(meme)
  }

  /// Sends after all what is in a draft: a creation as a new meme, a change over what the meme is now.
  ///
  /// - Parameter edit: what is to be another than in the draft, such as a caption that was too long.
  /// - Returns: the meme that it is of now.
  /// - Throws: ``LibraryError/noSuchDraft``; ``LibraryError/nothingToApplyTo`` where its meme is deleted;
  ///   ``LibraryError/pictureStays`` where the edit has another picture.
  @discardableResult
  public func apply(
    _ draft: LibraryDraft.ID, with edit: MemeEdit = MemeEdit()
  ) async throws(LibraryError) -> Meme.ID {
    guard !edit.changesPicture else { throw .pictureStays }
    let meme = try await store.apply(draft, with: edit)
    changes.tell(LibraryUpdate(isAll: true))
    bell.put(()) { _, _ in }
    return meme
  }

  /// Forgets a draft.
  ///
  /// - Throws: ``LibraryError/noSuchDraft``.
  public func discard(_ draft: LibraryDraft.ID) async throws(LibraryError) {
    changes.tell(LibraryUpdate([try await store.discard(draft)]))
  }

  private func changed(_ meme: Meme.ID) {
    changes.tell(LibraryUpdate([meme]))
    bell.put(()) { _, _ in }
  }
}
