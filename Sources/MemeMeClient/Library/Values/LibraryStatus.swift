public import Foundation

/// The sync state of a library.
public enum LibraryStatus: Sendable, Equatable {
  /// The library is not syncing.
  case idle
  /// The library is sending and receiving changes.
  case syncing
  /// The library matches the server and waits for changes.
  case upToDate
  /// The server could not be reached or asked to wait. The library tries again at this time. A local change triggers an
  /// earlier attempt unless the server asked to wait.
  case waiting(until: Date, because: String)
  /// The user must sign in. All data is kept.
  case signInNeeded
  /// The library cannot continue on its own, for the given reason: the account is suspended, its access token lacks a
  /// scope, another user is signed in, or the disk failed.
  case stopped(because: String)
}
