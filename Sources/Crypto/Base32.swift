/// Base32 in uppercase and without padding (RFC 4648 §6): letters and digits that people can tell apart and type.
package enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var (text, buffer, bits) = ([UInt8](), 0, 0)
    for byte in bytes {
      (buffer, bits) = (buffer << 8 | Int(byte), bits + 8)
      while bits >= 5 {
        bits -= 5
        text.append(alphabet[buffer >> bits & 31])
      }
      buffer &= 31
    }
    if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
    return String(decoding: text, as: UTF8.self)
  }
}
