package import Memes
package import SQLite

/// The one place where a failure of the store gets a name of the domain. What has none stays what it was, for the log.
extension MemeError: SQLiteFailure {
  package init(_ error: SQLiteError) {
    self =
      switch error.code {
      case .full: .storageFull
      case .busy: .storageBusy
      default: .storage(error)
      }
  }
}
