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

  /// Queues the mail, and returns at once. The user is read later.
  func tell(_ person: UserID, _ notice: AccountLetters.Notice) {
    mails.add { [self] _ in
      if let user = try await users.account(person)?.user { tell(user, notice) }
    }
  }
}
