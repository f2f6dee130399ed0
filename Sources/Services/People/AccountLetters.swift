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

  func passwordChanged(_ user: User) -> Mail {
    letter(
      to: user, "Your password was changed",
      """
      The password of the account \(user.username) on \(serverURL()) was changed.

      If you did not change it, reset your password now with this email address.
      """)
  }

  /// - Parameter user: the user as of before the change.
  func emailChanged(_ user: User) -> Mail {
    letter(
      to: user, "Your email was changed",
      """
      The email of your account \(user.username) on \(serverURL()) was changed. You can no longer sign in or reset the password with this address.

      If you did not change it, your password is known to someone else. Contact the operator of the server.
      """)
  }

  private func letter(to user: User, _ subject: String, _ text: String) -> Mail {
    Mail(to: user.email, subject: MailSubject(subject), text: text + "\n")
  }
}
