package import Bytes

/// The rules for new passwords, after NIST SP 800-63B §5.1.1.2: a minimum length, any characters, and
/// no common passwords.
package struct PasswordRules: Sendable {
  private let common: Bytes

  /// - Parameter common: lowercase passwords, one per line, sorted by their bytes.
  package init(common: Bytes) { self.common = common }

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
    guard !isCommon(password.text.lowercased()) else {
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

  private func isCommon(_ text: String) -> Bool {
    common.withUnsafeBytes { lines in
      text.withUTF8Bytes { text in
        var rest = lines[...]
        while !rest.isEmpty {
          let middle = rest.startIndex + rest.count / 2
          // The line that contains this byte. A line feed belongs to the line before it.
          let start = rest[..<middle].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
          let line = rest[(start ?? rest.startIndex)...].prefix { $0 != UInt8(ascii: "\n") }
          if line.elementsEqual(text) { return true }
          rest =
            line.lexicographicallyPrecedes(text)
            ? rest[line.endIndex...].dropFirst() : rest[..<line.startIndex]
        }
        return false
      }
    }
  }
}
