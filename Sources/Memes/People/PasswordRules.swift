package import Bytes

/// The rules for new passwords, after NIST SP 800-63B §5.1.1.2: a minimum length, any characters, and
/// no common passwords.
package struct PasswordRules: Sendable {
  private let common: SortedLines

  /// - Parameter common: lowercase passwords, one per line, sorted by their bytes.
  package init(common: Bytes) { self.common = SortedLines(common) }

  /// A new password.
  package func password(_ text: String) throws(InvalidValue) -> Password {
    let password = try Password(text)
    let count = password.text.unicodeScalars.count
    guard count >= Password.characters.lowerBound else {
      throw InvalidValue(
        code: "too-short",
        message: "Must have at least \(Password.characters.lowerBound) characters.")
    }
    guard count <= Password.characters.upperBound else {
      throw .tooLong(limit: Password.characters.upperBound)
    }
    guard !common.contains(password.text.lowercased()) else {
      throw InvalidValue(
        code: "common", message: "This password is too common. Choose a different one.")
    }
    return password
  }

  /// The reason why a user with these names may not have the password; `nil` if the password is allowed.
  package func refusal(
    of password: Password, for username: Username?, _ email: EmailAddress?
  ) -> InvalidValue? {
    let text = password.text.lowercased()
    guard text == username?.text || text == email?.text.lowercased() else { return nil }
    return InvalidValue(
      code: "same-as-name", message: "Must not be the username or the email.")
  }
}
