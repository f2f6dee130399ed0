package import Bytes

/// Which passwords people may choose, by NIST SP 800-63B §5.1.1.2: long enough, of any characters, and none that is guessed first.
package struct PasswordRules: Sendable {
  private let common: Bytes

  /// - Parameter common: passwords in lower case, sorted by their bytes, a line each.
  package init(common: Bytes) { self.common = common }

  /// A password that somebody wants to have.
  package func password(_ text: String) throws(InvalidValue) -> Password {
    let password = try Password(text)
    let count = password.text.unicodeScalars.count
    guard count >= Password.characters.lowerBound else {
      throw InvalidValue(
        code: "too-short",
        message: "At least \(Password.characters.lowerBound) characters are needed.")
    }
    guard count <= Password.characters.upperBound else {
      throw .tooLong(limit: Password.characters.upperBound)
    }
    guard !isCommon(password.text.lowercased()) else {
      throw InvalidValue(
        code: "common", message: "This is one of the passwords that are guessed first.")
    }
    return password
  }

  /// Why somebody of these names may not have the password; `nil` where they may.
  package func refusal(
    of password: Password, for username: Username?, _ email: EmailAddress?
  ) -> InvalidValue? {
    let text = password.text.lowercased()
    guard text == username?.text || text == email?.text.lowercased() else { return nil }
    return InvalidValue(
      code: "same-as-name", message: "The password must not be the username or the email.")
  }

  private func isCommon(_ text: String) -> Bool {
    common.withUnsafeBytes { lines in
      text.withUTF8Bytes { text in
        var rest = lines[...]
        while !rest.isEmpty {
          let middle = rest.startIndex + rest.count / 2
          // The line that has this byte; its line feed belongs to it.
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
