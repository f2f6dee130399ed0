package import Bytes

/// Looks up existing memes and users for ``Importing``. Each call is a read of its own, on the calling thread.
///
/// Every method may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol ImportCatalogue: Sendable {
  /// Whether a meme of any author has or had this ID.
  func status(of id: MemeID) throws -> ImportStatus

  /// The user as an author; `nil` if there is no such user.
  func author(named username: Username) throws -> Author?
}

/// The state of a meme's ID.
package enum ImportStatus: Sendable, Equatable {
  case free
  /// A meme has the ID.
  case there
  /// The meme is in the trash, or was purged and its deletion is still on record.
  case deleted
}

/// Reads the pictures that rows refer to.
package protocol ImportPictures: Sendable {
  /// - Parameter path: the path in the row.
  /// - Throws: ``RowFault`` if the folder has no such file, or the file is too large.
  func picture(at path: String) throws(RowFault) -> Bytes
}
