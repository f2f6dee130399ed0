public import Foundation

/// What a library does about the server at the moment.
public enum LibraryStatus: Sendable, Equatable {
  /// Nothing: it was not told to.
  case idle
  /// It sends and reads.
  case syncing
  /// It is as the server is, and waits for changes.
  case upToDate
  /// The server could not be reached, or asked to wait. It is tried again at this moment, or when something changes here.
  case waiting(until: Date, because: String)
  /// Somebody has to sign in. Everything is kept.
  case signInNeeded
  /// It cannot go on by itself, for this reason: the account is suspended, somebody else is signed in, the disk fails.
  case stopped(because: String)
}
