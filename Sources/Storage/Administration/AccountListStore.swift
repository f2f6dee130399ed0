package import Memes
package import SQL

/// Reads accounts of the table `users` for admins. Each call is one transaction.
///
/// Every method may throw ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct AccountListStore: Sendable {
  private let readers: any Readers

  package init(_ readers: any Readers) { self.readers = readers }

  /// A page of the accounts that match, newest first. Runs on a thread for long reads, because it scans all accounts
  /// if few of them match.
  package func accounts(
    _ filter: AccountFilter, after position: ListPosition?, limit: Int
  ) async throws -> Page<ListedAccount> {
    let pattern = filter.part.map { "%\(escaped($0.text))%" } ?? "%"
    let query = Self.listQuery(filter)
    return try await readers.readLong(for: Requester.current?.turnText) { db in
      try Page(limit: limit) { limit, note in
        try db.all(query, position?.sequence ?? .max, pattern, limit) { row in
          note(try row.next())
          return try ListedAccount(&row)
        }
      }
    }
  }

  /// - Throws: ``MemeError/notFound``.
  package func account(_ username: Username) async throws -> ListedAccount {
    let found = try await readers.read { db in
      try db.first("\(Self.select) WHERE username = ?", username.text) { row in
        _ = try row.next() as Int64
        return try ListedAccount(&row)
      }
    }
    guard let found else { throw MemeError.notFound }
    return found
  }

  static func listQuery(_ filter: AccountFilter) -> String {
    var conditions = [
      "users.seq < ?1",
      "(username LIKE ?2 ESCAPE '!' OR lower(email) LIKE ?2 ESCAPE '!')",
    ]
    switch filter.status {
    case .active: conditions.append("suspended_at IS NULL")
    case .suspended: conditions.append("suspended_at IS NOT NULL")
    case nil: break
    }
    if let role = filter.role { conditions.append("role = \(role.number)") }
    return """
      \(select)
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY users.seq DESC LIMIT ?3
      """
  }

  private static let select = """
    SELECT users.seq, \(User.columns), suspended_at, stored_bytes, quota_bytes,
      \(SecondFactor.columns)
    FROM users
    """
}

/// Escapes the characters with a meaning in a pattern of LIKE. Changes ASCII letters to lower case, because
/// PostgreSQL distinguishes them.
private func escaped(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    if "%_!".unicodeScalars.contains(scalar) { escaped.append("!") }
    escaped.append(scalar.isASCII ? String(scalar).lowercased() : String(scalar))
  }
  return escaped
}

extension ListedAccount {
  /// Decodes the columns that ``AccountListStore`` selects.
  fileprivate init(_ row: inout Row) throws {
    self.init(
      user: try User(&row),
      suspendedAt: (try row.next() as Int64?).map(Timestamp.init(millisecondsSince1970:)),
      storedBytes: try row.next(), quotaBytes: try row.next(),
      secondFactor: try SecondFactor.decode(&row))
  }
}
