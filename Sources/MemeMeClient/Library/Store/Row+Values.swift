import Bytes
package import Foundation
package import SQLite

// Reading and writing values that SQLite has no type for.

extension Date {
  /// Milliseconds since 1970.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Row {
  func id(at column: Int) throws(SQLiteError) -> Meme.ID {
    guard let id = Meme.ID(try self[column] as String) else {
      throw SQLiteError(.mismatch, "No id is stored where one ought to be.")
    }
    return id
  }

  func date(at column: Int) throws(SQLiteError) -> Date { Date(milliseconds: try self[column]) }

  func data(at column: Int) throws(SQLiteError) -> Data {
    try withBytes(at: column) { Data($0) }
  }

  /// - Returns: `nil` if the column is NULL.
  func json<Value: Decodable>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value? {
    guard let text = try self[column] as String? else { return nil }
    do { return try JSONDecoder.mememe.decode(type, from: Data(text.utf8)) } catch {
      throw SQLiteError(.mismatch, "JSON is stored that cannot be read: \(error)")
    }
  }

  func requiredJSON<Value: Decodable>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value {
    guard let value = try json(type, at: column) else {
      throw SQLiteError(.mismatch, "There is nothing where JSON ought to be.")
    }
    return value
  }
}

/// A value stored as JSON.
struct StoredJSON: Bindable {
  let sqlValue: SQLValue

  init(_ value: (some Encodable)?) throws(LibraryError) {
    guard let value else {
      sqlValue = .null
      return
    }
    do {
      sqlValue = .text(String(decoding: try JSONEncoder.mememe.encode(value), as: UTF8.self))
    } catch { throw .storage("A value cannot be written as JSON: \(error)") }
  }
}

extension Identifier: Bindable {
  package var sqlValue: SQLValue { .text(description) }
}

extension Data: Bindable {
  package var sqlValue: SQLValue { .blob(withUnsafeBytes { Bytes(copying: $0) }) }
}
