import Bytes
import Crypto
package import Memes
package import Storage

/// Lets users show that their email is theirs, with a link in a mail, and decides who may send mails to others.
///
/// The token of a link is not stored. It contains the account and the end of its validity, and an authentication code
/// of both and of the email, so it confirms only this email of this account, and only once.
package struct EmailConfirmations: Sendable {
  static let lifetimeMilliseconds: Int64 = 3 * 86_400_000

  private let users: UserStore
  private let mails: MailQueue
  private let letters: AccountLetters
  /// `nil` if the server has no mail server. Then emails are not confirmed, and nothing requires it.
  private let seal: Digester?
  private let now: @Sendable () -> Timestamp

  package init(
    users: UserStore, mails: MailQueue, letters: AccountLetters, seal: Digester?,
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.users, self.mails, self.letters) = (users, mails, letters)
    (self.seal, self.now) = (seal, now)
  }

  /// Whether the server confirms emails.
  package var areOn: Bool { seal != nil }

  /// Sends a link to the user, unless the email is confirmed or the server confirms none.
  ///
  /// - Returns: whether a mail will be sent, as far as its mailbox has not received too many.
  @discardableResult
  package func send(to user: User) -> Bool {
    guard let seal, user.emailConfirmedAt == nil else { return false }
    let end = Timestamp(
      millisecondsSince1970: now().millisecondsSince1970 + Self.lifetimeMilliseconds)
    let token = ConfirmationToken(person: user.id, end: end)
    mails.notify(
      letters.confirmation(user, token: token.text(for: user.email, seal)), within: .confirmation)
    return true
  }

  /// Sends another link to the user.
  ///
  /// - Returns: `false` if the email is confirmed.
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func send(to person: UserID) async throws -> Bool {
    guard let user = try await users.account(person)?.user else { throw MemeError.unauthorized }
    return send(to: user)
  }

  /// Confirms the email of the user who received the token. On return, this is durable.
  ///
  /// - Throws: ``MemeError/invalidConfirmation``.
  package func confirm(_ text: String) async throws {
    guard let seal, let token = ConfirmationToken(text), now() < token.end,
      let user = try await users.account(token.person)?.user,
      constantTimeEqual(Array(text.utf8), Array(token.text(for: user.email, seal).utf8)),
      try await users.confirm(user.email, of: user.id, at: now())
    else { throw MemeError.invalidConfirmation }
  }

  /// Allows a caller to send mails to others.
  ///
  /// - Throws: ``MemeError/emailUnconfirmed``; ``MemeError/unauthorized`` if the account was deleted.
  func checkSender(_ viewer: Principal) async throws {
    guard areOn, let person = viewer.person else { return }
    guard try await users.mayMail(person, at: now()) else { throw MemeError.emailUnconfirmed }
  }
}

/// The token of a link that confirms an email: the account, the end of its validity, and the authentication code.
private struct ConfirmationToken {
  let person: UserID
  let end: Timestamp

  init(person: UserID, end: Timestamp) { (self.person, self.end) = (person, end) }

  /// - Returns: `nil` if `text` has another form. The authentication code is not verified.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let person = UserID(String(parts[0])), let end = Int64(parts[1]) else {
      return nil
    }
    self.init(person: person, end: Timestamp(millisecondsSince1970: end))
  }

  func text(for email: EmailAddress, _ seal: Digester) -> String {
    let head = "\(person).\(end.millisecondsSince1970)"
    // Addresses that differ only in case are the same.
    let code = seal(Bytes("\(head).\(email.text.lowercased())"))
    return "\(head).\(Base64URL.encode(code.bytes))"
  }
}
