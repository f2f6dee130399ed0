import SQL

/// The kinds of columns that Swift reads, by the type's OID, which never changes
/// (`src/include/catalog/pg_type.dat` of PostgreSQL).
enum ColumnKind {
  case boolean, integer16, integer32, integer64, real, text, bytes, identifier

  /// `nil` for types that no statement should return, such as `numeric`, the type of `sum(bigint)`, and `name`, the
  /// type of `user` without quotes.
  init?(type: UInt32) {
    switch type {
    case 16: self = .boolean
    case 17: self = .bytes
    case 20: self = .integer64
    case 21: self = .integer16
    case 23: self = .integer32
    case 25, 1043: self = .text
    case 701: self = .real
    // xid8.
    case 5069: self = .identifier
    default: return nil
    }
  }

  func content(_ memory: UnsafeRawBufferPointer) -> ColumnContent {
    switch self {
    case .text: .text(memory)
    case .bytes: .blob(memory)
    case .boolean: .integer(Int64(memory.first ?? 0))
    case .integer16: .integer(Int64(Int16(truncatingIfNeeded: Self.number(memory))))
    case .integer32: .integer(Int64(Int32(truncatingIfNeeded: Self.number(memory))))
    case .integer64, .identifier: .integer(Int64(bitPattern: Self.number(memory)))
    case .real: .real(Double(bitPattern: Self.number(memory)))
    }
  }

  /// The bytes as one number. The most significant byte comes first.
  private static func number(_ memory: UnsafeRawBufferPointer) -> UInt64 {
    memory.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension SQLType {
  /// The OID of a parameter's type.
  var type: UInt32 {
    switch self {
    case .boolean: 16
    case .integer: 20
    case .real: 701
    case .text: 25
    case .blob: 17
    }
  }
}
