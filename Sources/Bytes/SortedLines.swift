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
        var rest = lines[...]
        while !rest.isEmpty {
          let middle = rest.startIndex + rest.count / 2
          // The line that contains this byte. A line feed belongs to the line before it.
          let start = rest[..<middle].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
          let line = rest[(start ?? rest.startIndex)...].prefix { $0 != UInt8(ascii: "\n") }
          let found = line.prefix { $0 != UInt8(ascii: "\t") }
          if found.elementsEqual(key) {
            return String(decoding: line[found.endIndex...].dropFirst(), as: UTF8.self)
          }
          rest =
            found.lexicographicallyPrecedes(key)
            ? rest[line.endIndex...].dropFirst() : rest[..<line.startIndex]
        }
        return nil
      }
    }
  }
}
