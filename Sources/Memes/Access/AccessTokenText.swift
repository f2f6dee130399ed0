/// The form of an access token: `mm_` and 32 characters of base64url.
///
/// Programs that search for leaked secrets can find it by this form, and no session token has it, because those have
/// another length.
package enum AccessTokenText {
  package static let prefix = "mm_"
  /// 192 random bits cannot be guessed.
  package static let randomBytes = 24
  private static let secretCharacters = 32

  /// Whether a credential has the form of an access token.
  package static func isOne(_ text: String) -> Bool {
    text.hasPrefix(prefix) && text.utf8.count == prefix.utf8.count + secretCharacters
  }

  /// Whether the text contains an access token, or most of one.
  package static func occurs(in text: some StringProtocol) -> Bool {
    let mark = Array(prefix.utf8)
    var rest = Array(text.utf8)[...]
    while let place = rest.firstIndex(of: UInt8(ascii: "m")) {
      rest = rest[place...]
      if rest.starts(with: mark),
        rest.dropFirst(mark.count).prefix(while: isSecretByte).count >= secretCharacters / 2
      {
        return true
      }
      rest = rest.dropFirst()
    }
    return false
  }

  private static func isSecretByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
