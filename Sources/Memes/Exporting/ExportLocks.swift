import Synchronization

/// Whose exports are being made or fetched in this process. Safe to use from any thread.
final class ExportTurns: Sendable {
  private let people = Mutex<Set<UserID>>([])

  /// - Returns: `nil` where the person has one.
  func begin(_ user: User) -> ExportTurn? {
    guard people.withLock({ $0.insert(user.id).inserted }) else { return nil }
    return ExportTurn(of: user, among: self)
  }

  fileprivate func end(_ person: UserID) { _ = people.withLock { $0.remove(person) } }
}

/// One export of a person, who has no other one while there is a reference to this.
package final class ExportTurn: Sendable {
  /// As they were when it began.
  package let user: User
  private let turns: ExportTurns

  fileprivate init(of user: User, among turns: ExportTurns) {
    (self.user, self.turns) = (user, turns)
  }

  deinit { turns.end(user.id) }
}
