/// A constant table: each line has a key, and then a tab and a value if the table has values. The lines are sorted by
/// the bytes of their keys, and searched without a copy.
package struct SortedLines: Sendable {
  private let lines: Bytes

  package init(_ lines: Bytes) { self.lines = lines }

  package func contains(_ key: String) -> Bool { value(of: key) != nil }

  /// - Returns: the value of the key, which is empty in a table without values; `nil` if the table has no such key.
  package func value(of key: String) -> String? {
    lines.withUnsafeBytes { lines in
      key.withUTF8Bytes { key in
        var (low, high) = (0, lines.count)
        while low < high {
          // The line that contains the byte in the middle. A line feed belongs to the line before it.
          var start = low + (high - low) / 2
          while start > low, lines[start - 1] != Self.lineFeed { start -= 1 }
          var (place, index) = (start, 0)
          // Checked before each comparison, because the key may contain these bytes.
          func isEnd() -> Bool {
            place == high || lines[place] == Self.lineFeed || lines[place] == Self.tab
          }
          while !isEnd(), index < key.count, lines[place] == key[index] {
            (place, index) = (place + 1, index + 1)
          }
          let isWhole = isEnd()
          var end = place
          while end < high, lines[end] != Self.lineFeed { end += 1 }
          if isWhole, index == key.count {
            return String(decoding: lines[place..<end].dropFirst(), as: UTF8.self)
          }
          let isBefore = isWhole || index < key.count && lines[place] < key[index]
          if isBefore { low = end + 1 } else { high = start }
        }
        return nil
      }
    }
  }

  private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
  private static var tab: UInt8 { UInt8(ascii: "\t") }
}
