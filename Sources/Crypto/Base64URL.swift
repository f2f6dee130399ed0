import CSodium

/// Base64 with the alphabet that is safe in URLs and file names, without padding (RFC 4648 §5).
package enum Base64URL {
  private static let codec = Base64Codec(variant: sodium_base64_VARIANT_URLSAFE_NO_PADDING)

  package static func encode(_ bytes: [UInt8]) -> String { codec.encode(bytes) }

  /// - Returns: `nil` if `text` is not in the form that ``encode(_:)`` writes.
  package static func decode(_ text: String) -> [UInt8]? { codec.decode(text) }
}

/// Base64 with the usual alphabet and padding (RFC 4648 §4).
package enum Base64 {
  private static let codec = Base64Codec(variant: sodium_base64_VARIANT_ORIGINAL)

  package static func encode(_ bytes: [UInt8]) -> String { codec.encode(bytes) }

  /// - Returns: `nil` if `text` is not in the form that ``encode(_:)`` writes.
  package static func decode(_ text: String) -> [UInt8]? { codec.decode(text) }
}

private struct Base64Codec {
  let variant: Int32

  func encode(_ bytes: [UInt8]) -> String {
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func decode(_ text: String) -> [UInt8]? {
    // libsodium accepts some bytes over 127 as letters of the alphabet.
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let text = text.utf8.map(CChar.init(bitPattern:))
    var bytes = [UInt8](repeating: 0, count: text.count)
    var count = 0
    guard
      sodium_base642bin(&bytes, bytes.count, text, text.count, nil, &count, nil, variant) == 0
    else { return nil }
    return Array(bytes.prefix(count))
  }
}
