import Memes
package import Storage

/// Tells users by mail what happened to their accounts, so that they notice what they did not do.
package struct AccountNotices: Sendable {
  private let users: UserStore
  private let mails: MailQueue
  private let letters: AccountLetters

  package init(users: UserStore, mails: MailQueue, letters: AccountLetters) {
    (self.users, self.mails, self.letters) = (users, mails, letters)
  }

  /// Queues the mail, and returns at once.
  func tell(_ user: User, _ notice: AccountLetters.Notice) {
    let limit: Limit = if case .newDevice = notice { .newDevice } else { .notice }
    mails.notify(letters.notice(notice, to: user), within: limit)
  }

  /// Queues the mail to the address that the user has now. Later, a thief could have changed it. A failure is reported
  /// and not thrown, because what the mail is about has happened.
  func tell(_ person: UserID, _ notice: AccountLetters.Notice) async {
    guard mails.notifies else { return }
    do {
      if let user = try await users.account(person)?.user { tell(user, notice) }
    } catch { mails.report(error) }
  }
}
