import Bytes

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

  /// Whether a part of a URL contains an access token, or most of one, also if it is percent-encoded.
  // Not generic, because it runs for each request, and code of another module would call the generic form through
  // witness tables for each byte.
  package static func occurs(inURL part: String) -> Bool {
    let (isFound, isEncoded) = part.withUTF8Bytes {
      (occurs(in: $0), $0.contains(UInt8(ascii: "%")))
    }
    return isFound || isEncoded && part.percentDecodedBytes.withUnsafeBufferPointer(occurs(in:))
  }

  /// Whether a part of a URL contains an access token as a word: the characters around it are not those of tokens.
  ///
  /// Other random values, such as the code of a single sign-on or a signature, contain the prefix by chance, but have
  /// another length.
  package static func occursAsWord(inURL part: String) -> Bool {
    // The faster check first, because this runs for each request.
    guard occurs(inURL: part) else { return false }
    return part.percentDecodedBytes.split { !isSecretByte($0) }.contains { word in
      word.count == prefix.utf8.count + secretCharacters && word.starts(with: prefix.utf8)
    }
  }

  private static func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    // The bytes of the prefix that were found, and then of the secret.
    var found = 0
    for byte in text {
      switch (found, byte) {
      case (0...1, UInt8(ascii: "m")): found += 1
      case (2, UInt8(ascii: "m")): break
      case (2, UInt8(ascii: "_")): found = 3
      case (3..., _) where isSecretByte(byte): found += 1
      default: found = 0
      }
      if found == prefix.utf8.count + secretCharacters / 2 { return true }
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
