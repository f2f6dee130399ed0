import Memes
import Storage

/// The mails that users receive about their accounts.
package struct AccountLetters: Sendable {
  private let serverURL: @Sendable () -> String

  /// - Parameter serverURL: the server's public URL, without a trailing slash. It must come from the settings. A URL
  ///   from the `Host` field of a request could send users to another server.
  package init(serverURL: @escaping @Sendable () -> String) { self.serverURL = serverURL }

  /// The page that asks for a new password. Browsers do not send the fragment of a URL, so the token appears in no
  /// server log.
  func resetLink(_ token: String) -> String { "\(serverURL())/reset-password#\(token)" }

  /// The mail with the link for a new password.
  func reset(_ user: User, token: String) -> Mail {
    let minutes = PasswordResets.lifetimeMilliseconds / 60_000
    return letter(
      to: user, "Reset your MemeMe password",
      """
      We received a request to reset the password of your account \(user.username) on \(serverURL()).

      To choose a new password, open this link within \(minutes) minutes:

      \(resetLink(token))

      Do not share this link. If you did not request it, ignore this email; your password will not change.
      """)
  }

  /// The mail with the link that confirms the email.
  func confirmation(_ user: User, token: String) -> Mail {
    let days = EmailConfirmations.lifetimeMilliseconds / 86_400_000
    return letter(
      to: user, "Confirm your email for MemeMe",
      """
      The account \(user.username) on \(serverURL()) has this email address.

      To confirm that it is yours, open this link within \(days) days:

      \(serverURL())/app/confirm-email#\(token)

      If you do not know this account, ignore this email.
      """)
  }

  /// Something that happened to an account, about which the user gets a mail.
  enum Notice: Sendable {
    case passwordChanged
    case emailChanged
    case newDevice(at: Timestamp)
    case newToken
    case secondFactorOn
    case secondFactorOff
    case newRecoveryCodes
    /// The deliveries of a connection fail.
    case connectionFailing
    /// The receiver of a connection wants no more events, or too many events wait.
    case connectionStopped
    case identityLinked
    case identityUnlinked
  }

  /// The mail about something that happened to the account. It contains nothing that the person who did it chose, such
  /// as the name of a token, because they could lead the user to another server with it.
  ///
  /// - Parameter user: if the email changed, the user as of before the change.
  func notice(_ notice: Notice, to user: User) -> Mail {
    let account = "account \(user.username) on \(serverURL())"
    let settings = "\(serverURL())/app/settings"
    let ifUnknown = """
      If it was not you, change your password now, which also ends the other sessions, and delete access tokens that you did not make:

      \(settings)/password
      \(settings)/tokens
      """
    switch notice {
    case .passwordChanged:
      return letter(
        to: user, "Your password was changed",
        """
        The password of the \(account) was changed.

        If you did not change it, reset your password now with this email address.
        """)
    case .emailChanged:
      return letter(
        to: user, "Your email was changed",
        """
        The email of your \(account) was changed. You can no longer sign in or reset the password with this address.

        If you did not change it, your password is known to someone else. Contact the operator of the server.
        """)
    case .newDevice(let time):
      return letter(
        to: user, "Sign-in on a new device",
        """
        Your \(account) was used to sign in on a new device, at \(time).

        \(ifUnknown)
        """)
    case .newToken:
      return letter(
        to: user, "New access token",
        """
        An access token was made for your \(account). A program that has it can use the account.

        \(ifUnknown)
        """)
    case .secondFactorOn:
      return letter(
        to: user, "Second factor turned on",
        """
        The second factor of your \(account) was turned on. The next sign-in asks for a code.

        If you did not turn it on, contact the operator of the server.
        """)
    case .secondFactorOff:
      return letter(
        to: user, "Second factor turned off",
        """
        The second factor of your \(account) was turned off. The password alone is enough to sign in.

        \(ifUnknown)
        """)
    case .newRecoveryCodes:
      return letter(
        to: user, "New recovery codes",
        """
        New recovery codes were made for your \(account). The earlier ones are no longer valid.

        \(ifUnknown)
        """)
    case .connectionFailing:
      return letter(
        to: user, "A connection of your account fails",
        """
        A connection of your \(account) has failed for three days. The server goes on trying once a day, and keeps each event for 7 days.

        See why, and restart it:

        \(settings)/connections
        """)
    case .connectionStopped:
      return letter(
        to: user, "A connection of your account was stopped",
        """
        A connection of your \(account) was stopped: its receiver wants no more events, or 10,000 events are waiting.

        See why, and restart or delete it:

        \(settings)/connections
        """)
    case .identityLinked:
      return letter(
        to: user, "Single sign-on linked",
        """
        A single sign-on was linked to your \(account). It signs in without the password.

        If it was not you, unlink it now in the settings:

        \(settings)/security

        \(ifUnknown)
        """)
    case .identityUnlinked:
      return letter(
        to: user, "Single sign-on unlinked",
        """
        A single sign-on was unlinked from your \(account). It no longer signs in.

        \(ifUnknown)
        """)
    }
  }

  private func letter(to user: User, _ subject: String, _ text: String) -> Mail {
    Mail(to: user.email, subject: MailSubject(subject), text: text + "\n")
  }
}
