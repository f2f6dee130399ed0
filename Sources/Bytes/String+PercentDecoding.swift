extension String {
  /// The bytes of the text, with those decoded that are percent-encoded. An invalid encoding stays as it is.
  package var percentDecodedBytes: [UInt8] {
    withUTF8Bytes { text in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count)
      var place = 0
      while place < text.count {
        if text[place] == UInt8(ascii: "%"), place + 2 < text.count,
          let high = Hexadecimal.value(of: text[place + 1]),
          let low = Hexadecimal.value(of: text[place + 2])
        {
          bytes.append(high << 4 | low)
          place += 3
        } else {
          bytes.append(text[place])
          place += 1
        }
      }
      return bytes
    }
  }
}
