extension String {
  /// The text for any part of a URL: everything except unreserved characters is percent-encoded (RFC 3986 §2.3).
  package var percentEncoded: String { percentEncoded(keeping: "") }

  /// The text for a segment of a path: what may stand there stays as it is (`pchar`, RFC 3986 §3.3).
  package var pathEncoded: String { percentEncoded(keeping: "!$&'()*+,;=:@") }

  private func percentEncoded(keeping others: StaticString) -> String {
    let encoded: [UInt8] = withUTF8Bytes { bytes in
      var encoded: [UInt8] = []
      encoded.reserveCapacity(bytes.count)
      for byte in bytes {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          encoded.append(byte)
        case _ where others.withUTF8Buffer({ $0.contains(byte) }): encoded.append(byte)
        default: encoded.append(contentsOf: "%\(Hexadecimal.pair(byte))".utf8)
        }
      }
      return encoded
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
