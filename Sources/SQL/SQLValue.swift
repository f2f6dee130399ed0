package import Bytes

/// A value of one of the kinds that both engines store.
package enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Bytes)
}

/// A value that can be bound to a parameter of a statement.
package protocol Bindable {
  var sqlValue: SQLValue { get }
}

extension SQLValue: Bindable {
  package var sqlValue: SQLValue { self }
}

extension Int64: Bindable {
  package var sqlValue: SQLValue { .integer(self) }
}

extension Int: Bindable {
  package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: Bindable {
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
  package var sqlValue: SQLValue { .real(self) }
}

extension String: Bindable {
  package var sqlValue: SQLValue { .text(self) }
}

extension Bytes: Bindable {
  package var sqlValue: SQLValue { .blob(self) }
}

extension [UInt8]: Bindable {
  package var sqlValue: SQLValue { .blob(Bytes(self)) }
}

extension Optional: Bindable where Wrapped: Bindable {
  package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
