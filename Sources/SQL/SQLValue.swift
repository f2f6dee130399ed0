package import Bytes

/// A value of one of the kinds that both engines store.
package enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Bytes)
}

/// The type of a parameter. PostgreSQL must know it before it knows a value, which may be NULL.
package enum SQLType: Sendable {
  case boolean, integer, real, text, blob
}

extension SQLType {
  /// The value for a parameter of this type.
  ///
  /// - Returns: `nil` if the value is of another kind.
  package func bindable(_ value: SQLValue) -> (any Bindable)? {
    switch (self, value) {
    case (.boolean, .null): Bool?.none as any Bindable
    case (.integer, .null): Int64?.none as any Bindable
    case (.real, .null): Double?.none as any Bindable
    case (.text, .null): String?.none as any Bindable
    case (.blob, .null): Bytes?.none as any Bindable
    case (.boolean, .integer(let number)): number != 0
    case (.integer, .integer(let number)): number
    case (.real, .real(let number)): number
    case (.text, .text(let text)): text
    case (.blob, .blob(let bytes)): bytes
    default: nil
    }
  }
}

/// A value that can be bound to a parameter of a statement.
package protocol Bindable {
  /// The type of all values, also of NULL.
  static var sqlType: SQLType { get }

  var sqlValue: SQLValue { get }
}

extension Int64: Bindable {
  package static var sqlType: SQLType { .integer }
  package var sqlValue: SQLValue { .integer(self) }
}

extension Int: Bindable {
  package static var sqlType: SQLType { .integer }
  package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: Bindable {
  package static var sqlType: SQLType { .boolean }
  /// SQLite has no boolean type.
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
  package static var sqlType: SQLType { .real }
  package var sqlValue: SQLValue { .real(self) }
}

extension String: Bindable {
  package static var sqlType: SQLType { .text }
  package var sqlValue: SQLValue { .text(self) }
}

extension Bytes: Bindable {
  package static var sqlType: SQLType { .blob }
  package var sqlValue: SQLValue { .blob(self) }
}

extension [UInt8]: Bindable {
  package static var sqlType: SQLType { .blob }
  package var sqlValue: SQLValue { .blob(Bytes(self)) }
}

extension Optional: Bindable where Wrapped: Bindable {
  package static var sqlType: SQLType { Wrapped.sqlType }
  package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
