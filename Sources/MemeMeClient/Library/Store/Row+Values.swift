import Bytes
package import Foundation
package import SQL

// Reading and writing values that SQLite has no type for.

extension Date {
  /// Milliseconds since 1970.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Row {
  mutating func nextID() throws(DatabaseError) -> Meme.ID {
    guard let id = Meme.ID(try next() as String) else {
      throw DatabaseError(.mismatch, "Invalid ID in the database.")
    }
    return id
  }

  mutating func nextDate() throws(DatabaseError) -> Date { Date(milliseconds: try next()) }

  mutating func nextData() throws(DatabaseError) -> Data { try nextBytes { Data($0) } }

  /// - Returns: `nil` if the column is NULL.
  mutating func nextJSON<Value: Decodable>(_ type: Value.Type) throws(DatabaseError) -> Value? {
    guard let text = try next() as String? else { return nil }
    do { return try JSONDecoder.mememe.decode(type, from: Data(text.utf8)) } catch {
      throw DatabaseError(.mismatch, "Invalid JSON in the database: \(error)")
    }
  }

  mutating func nextRequiredJSON<Value: Decodable>(
    _ type: Value.Type
  ) throws(DatabaseError) -> Value {
    guard let value = try nextJSON(type) else {
      throw DatabaseError(.mismatch, "A JSON value is missing from the database.")
    }
    return value
  }
}

/// A value stored as JSON.
struct StoredJSON: Bindable {
  static var sqlType: SQLType { .text }

  let sqlValue: SQLValue

  init(_ value: (some Encodable)?) throws(LibraryError) {
    guard let value else {
      sqlValue = .null
      return
    }
    do {
      sqlValue = .text(String(decoding: try JSONEncoder.mememe.encode(value), as: UTF8.self))
    } catch { throw .storage("Cannot encode a value as JSON: \(error)") }
  }
}

extension Identifier: Bindable {
  package static var sqlType: SQLType { .text }
  package var sqlValue: SQLValue { .text(description) }
}

extension Data: Bindable {
  package static var sqlType: SQLType { .blob }
  package var sqlValue: SQLValue { .blob(withUnsafeBytes { Bytes(copying: $0) }) }
}
