import Memes
import Storage

/// The mails that users receive about their accounts.
package struct AccountLetters: Sendable {
  private let serverURL: @Sendable () -> String

  /// - Parameter serverURL: the server's public URL, without a trailing slash. It must come from the settings. A URL
  ///   from the `Host` field of a request could send users to another server.
  package init(serverURL: @escaping @Sendable () -> String) { self.serverURL = serverURL }

  /// The mail with the link for a new password.
  func reset(_ user: User, token: String) -> Mail {
    // Browsers do not send the fragment of a URL, so the token appears in no server log.
    let link = "\(serverURL())/reset-password#\(token)"
    let minutes = PasswordResets.lifetimeMilliseconds / 60_000
    return letter(
      to: user, "Choose a new password",
      """
      Somebody, most likely you, asked for a new password for the account \(user.username) on \(serverURL()).

      Choose it here, within \(minutes) minutes:

      \(link)

      Show this link to nobody: whoever has it can choose the password. If you did not ask for it, leave it; your password stays as it is.
      """)
  }

  func passwordChanged(_ user: User) -> Mail {
    letter(
      to: user, "Your password was changed",
      """
      The password of the account \(user.username) on \(serverURL()) was changed.

      If that was not you, choose another one at once: ask for a new password with this address.
      """)
  }

  /// - Parameter user: the user as of before the change.
  func emailChanged(_ user: User) -> Mail {
    letter(
      to: user, "Your email was changed",
      """
      The account \(user.username) on \(serverURL()) has another email now. This address can no longer be used to sign in, or to ask for a new password.

      If that was not you, somebody knows your password. Write to whoever runs the server.
      """)
  }

  private func letter(to user: User, _ subject: String, _ text: String) -> Mail {
    Mail(to: user.email, subject: MailSubject(subject), text: text + "\n")
  }
}
