import Bytes
import Memes
import SQL

/// The number of rows of a table, and a digest of them in the order of their keys. It is the same on both engines.
struct TableDigest: Equatable, Sendable {
  private(set) var rows = 0
  private var digest: [UInt8] = []

  /// Adds a row. Each value has a prefix with its kind and length, so that different rows give different input.
  mutating func add(_ row: [SQLValue], by digester: Digester) {
    var writer = ByteWriter(capacity: 512)
    digest.withUnsafeBytes { writer.append($0) }
    for value in row { writer.append(canonical: value) }
    rows += 1
    digest = digester(writer.finish()).bytes
  }
}

extension ByteWriter {
  fileprivate mutating func append(canonical value: SQLValue) {
    switch value {
    case .null: append(0)
    case .integer(let number): append(1, UInt64(bitPattern: number))
    // SQLite stores no negative zero.
    case .real(let number): append(2, (number == 0 ? 0 : number).bitPattern)
    case .text(let text):
      append(3, UInt64(text.utf8.count))
      append(text)
    case .blob(let bytes):
      append(4, UInt64(bytes.count))
      bytes.withUnsafeBytes { append($0) }
    }
  }

  private mutating func append(_ kind: UInt8, _ number: UInt64) {
    append(kind)
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
