package import Memes
import Storage
import Synchronization

/// The users whose exports are in progress in this process. Safe to use from any thread.
final class ExportLocks: Sendable {
  private let people = Mutex<Set<UserID>>([])

  /// - Returns: `nil` if an export of this user is in progress.
  func begin(_ user: User) -> ExportLock? {
    guard people.withLock({ $0.insert(user.id).inserted }) else { return nil }
    return ExportLock(of: user, among: self)
  }

  fileprivate func end(_ person: UserID) { _ = people.withLock { $0.remove(person) } }
}

/// An export of a user. The user cannot begin another export while this object is alive.
package final class ExportLock: Sendable {
  /// The user as of the beginning of the export.
  package let user: User
  private let locks: ExportLocks

  fileprivate init(of user: User, among locks: ExportLocks) {
    (self.user, self.locks) = (user, locks)
  }

  deinit { locks.end(user.id) }
}
