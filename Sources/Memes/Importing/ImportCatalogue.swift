package import Bytes

/// What ``Importing`` needs to know of what is there. Every call is a read of its own, on the calling thread.
///
/// May throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package protocol ImportCatalogue: Sendable {
  /// What has this id, whosever it is.
  func standing(of id: MemeID) throws(MemeError) -> ImportStanding

  /// The person as an author; `nil` where nobody has this name.
  func author(named username: Username) throws(MemeError) -> Author?
}

/// What has an id.
package enum ImportStanding: Sendable, Equatable {
  case free
  case there
  /// It is in the trash, or was purged and is not forgotten yet.
  case deleted
}

/// Gives the bytes of the pictures that rows name.
package protocol ImportPictures: Sendable {
  /// - Parameter path: as the row has it.
  /// - Throws: where there is no such file in the folder, or it has too many bytes.
  func picture(at path: String) throws(RowFault) -> Bytes
}
