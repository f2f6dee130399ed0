package import Memes
package import SQL

/// Maps errors of the store to errors of the domain. Only this extension does so. An error without a counterpart stays
/// as it is, for the log.
extension MemeError {
  package init(_ error: DatabaseError) {
    self =
      if error.isDiskFull {
        .storageFull
      } else if error.isOutOfResources {
        .storageStarved(error)
      } else if error.code == .busy || error.code == .interrupted {
        .storageBusy
      } else {
        .storage(error)
      }
  }

  /// Maps the error if it is SQLite's; otherwise returns it unchanged.
  static func naming(_ error: any Error) -> any Error {
    (error as? DatabaseError).map(MemeError.init) ?? error
  }
}
