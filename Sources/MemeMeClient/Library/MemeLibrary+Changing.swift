public import Foundation

// Local changes. A change is durable when the call returns, and is sent when the server can be reached.
extension MemeLibrary {
  /// Creates a meme.
  ///
  /// - Parameter picture: The content of a JPEG, PNG, GIF or WebP file, or AVIF or HEIC if the server supports it.
  /// - Returns: The ID of the meme, both in the library and on the server.
  @discardableResult
  public func create(
    _ fields: MemeFields = MemeFields(), picture: Data
  ) async throws(LibraryError) -> Meme.ID {
    let meme = try await store.create(MemeEdit(fields), picture: picture)
    changed(meme)
    return meme
  }

  /// Edits a meme, whether or not it has been sent. If the server did not accept the meme, this edits its draft, which
  /// ``apply(_:with:)`` sends.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``; ``LibraryError/pictureStays`` if the edit replaces the picture.
  public func edit(_ meme: Meme.ID, _ edit: MemeEdit) async throws(LibraryError) {
    guard !edit.changesPicture else { throw .pictureStays }
    try await store.edit(meme, edit)
    changed(meme)
  }

  /// Deletes a meme, whether or not it has been sent, and its drafts.
  ///
  /// - Throws: ``LibraryError/noSuchMeme``.
  public func delete(_ meme: Meme.ID) async throws(LibraryError) {
    try await store.delete(meme)
    changed(meme)
  }

  /// Sends the content of a draft again: a creation as a new meme, other changes against the meme's current state. If
  /// the meme of the first creation turns up on the server after all, it is deleted.
  ///
  /// - Parameter edit: Changes to the draft's content, such as a shorter caption.
  /// - Returns: The ID of the meme. A creation receives a new one.
  /// - Throws: ``LibraryError/noSuchDraft``; ``LibraryError/nothingToApplyTo`` if the draft's meme is deleted;
  ///   ``LibraryError/pictureStays`` if the edit replaces the picture; ``LibraryError/picturesChanged`` if the draft
  ///   keeps pictures in boxes that the meme no longer has.
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

  /// Discards a draft.
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
