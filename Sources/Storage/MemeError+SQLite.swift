package import Memes
package import SQLite

/// The one place where a failure of the store gets a name of the domain. What has none stays what it was, for the log.
extension MemeError: SQLiteFailure {
  package init(_ error: SQLiteError) {
    self =
      if error.isForWantOfDisk {
        .storageFull
      } else if error.isForWantOfMeans {
        .storageStarved(error)
      } else if error.code == .busy || error.code == .interrupted {
        .storageBusy
      } else {
        .storage(error)
      }
  }
}
