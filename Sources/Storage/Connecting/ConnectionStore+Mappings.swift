package import Memes
import SQL

extension ConnectionStore {
  /// Adds a mapping. On return, its events are recorded.
  ///
  /// - Throws: ``MemeError/tooManyMappings``; ``MemeError/invalid(field:_:)`` if the scope of the connection does not
  ///   permit the terms, or the author does not exist.
  package func addMapping(
    _ id: MappingID, _ terms: Mapping.Terms, to connection: ConnectionID, by viewer: Principal,
    at time: Timestamp
  ) async throws -> Mapping {
    try await writer.transaction { db in
      let number = try ownedConnection(connection, by: viewer, in: db)
      try insertMapping(id, terms, into: number, at: time, in: db)
      return try mapping(id, for: viewer, in: db)
    }
  }

  package func mapping(_ id: MappingID, for viewer: Principal) async throws -> Mapping {
    try await readers.read { db in try mapping(id, for: viewer, in: db) }
  }

  /// Replaces the terms of a mapping. Waiting events stay, except those of kinds that it no longer has.
  ///
  /// - Throws: ``MemeError/invalid(field:_:)`` as ``addMapping(_:_:to:by:at:)``.
  package func replaceMapping(
    _ id: MappingID, with terms: Mapping.Terms, by viewer: Principal
  ) async throws -> Mapping {
    try await writer.transaction { db in
      let connection = try mapping(id, for: viewer, in: db).connection
      _ = try ownedConnection(connection, by: viewer, in: db)
      try updateMapping(id, with: terms, in: db)
      return try mapping(id, for: viewer, in: db)
    }
  }

  /// Deletes a mapping with its waiting events.
  package func deleteMapping(_ id: MappingID, by viewer: Principal) async throws {
    try await writer.transaction { db in
      let connection = try mapping(id, for: viewer, in: db).connection
      _ = try ownedConnection(connection, by: viewer, in: db)
      try db.run("DELETE FROM mappings WHERE id = ?", id.bytes)
    }
  }

  /// Begins to send all matching memes again, from the first one.
  ///
  /// - Throws: ``MemeError/nothingToReload`` if the mapping has no `meme.created`; ``MemeError/connectionStopped``.
  package func reload(_ id: MappingID, by viewer: Principal) async throws -> Mapping {
    try await writer.transaction { db in
      let mapping = try mapping(id, for: viewer, in: db)
      let connection = try ownedConnection(mapping.connection, by: viewer, in: db)
      guard mapping.terms.events.all.contains(.memeCreated) else {
        throw MemeError.nothingToReload
      }
      let state: Int? = try db.value("SELECT state FROM connections WHERE seq = ?", connection)
      guard state != Connection.State.stopped.rawValue else { throw MemeError.connectionStopped }
      try db.run(
        """
        UPDATE mappings SET reloaded = 0, reload_until = (SELECT coalesce(max(seq), 0) FROM memes)
        WHERE id = ?
        """, id.bytes)
      return try self.mapping(id, for: viewer, in: db)
    }
  }

  /// Changes the mappings whose IDs the connection has, adds those with new terms, and leaves the others. All or none.
  ///
  /// - Parameter imported: with an ID for a mapping that must be added.
  /// - Throws: ``MemeError/tooManyMappings``; ``MemeError/invalid(field:_:)`` with the field of a mapping.
  package func importMappings(
    _ imported: [(id: MappingID?, newID: MappingID, terms: Mapping.Terms)],
    into connection: ConnectionID, by viewer: Principal, at time: Timestamp
  ) async throws -> Connection {
    try await update(connection, by: viewer) { number, db in
      var existing = try storedMappings(of: number, connection, in: db)
      for (index, new) in imported.enumerated() {
        do {
          if let id = new.id, existing.contains(where: { $0.id == id }) {
            try updateMapping(id, with: new.terms, in: db)
          } else if !existing.contains(where: { $0.terms == new.terms }) {
            try insertMapping(new.newID, new.terms, into: number, at: time, in: db)
          }
        } catch MemeError.invalid(let field, let value) {
          throw MemeError.invalid(field: "mappings[\(index)].\(field)", value)
        }
        existing = try storedMappings(of: number, connection, in: db)
      }
    }
  }

  static let mappingQuery = """
    SELECT \(mappingColumns) FROM mappings AS m LEFT JOIN users AS authors ON authors.seq = m.author
    JOIN connections AS c ON c.seq = m.connection
    WHERE m.id = ?3 AND (c.owner = \(AccessPolicy.asking) OR ?2 AND c.is_global)
    """

  private func mapping(
    _ id: MappingID, for viewer: Principal, in db: borrowing Transaction
  ) throws -> Mapping {
    let found = try db.first(
      Self.mappingQuery, viewer.person?.bytes, viewer.isAdmin, id.bytes
    ) { row in try Mapping(&row) }
    guard let found else { throw MemeError.notFound }
    return found
  }
}

/// - Parameter connection: locked.
private func insertMapping(
  _ id: MappingID, _ terms: Mapping.Terms, into connection: Int64, at time: Timestamp,
  in db: borrowing Transaction
) throws {
  let count: Int? = try db.value("SELECT count(*) FROM mappings WHERE connection = ?", connection)
  guard count ?? 0 < Mapping.maximumCount else { throw MemeError.tooManyMappings }
  let author = try checkedAuthor(of: terms, in: connection, db)
  try db.run(
    """
    INSERT INTO mappings
      (id, connection, person, events, author, visibility, tag, format, fields, created_at)
    SELECT ?, seq, CASE WHEN is_global THEN 0 ELSE owner END, ?, ?, ?, ?, ?, ?, ?
    FROM connections WHERE seq = ?
    """,
    id.bytes, terms.events.number, author, terms.filter.visibility?.number, terms.filter.tag?.text,
    terms.format.number, terms.fields?.rawValue, time.millisecondsSince1970, connection)
}

/// - Parameter id: a mapping whose connection is locked.
private func updateMapping(
  _ id: MappingID, with terms: Mapping.Terms, in db: borrowing Transaction
) throws {
  let connection: Int64? = try db.value("SELECT connection FROM mappings WHERE id = ?", id.bytes)
  guard let connection else { throw MemeError.notFound }
  let author = try checkedAuthor(of: terms, in: connection, db)
  try db.run(
    """
    UPDATE mappings SET events = ?, author = ?, visibility = ?, tag = ?, format = ?, fields = ?
    WHERE id = ?
    """,
    terms.events.number, author, terms.filter.visibility?.number, terms.filter.tag?.text,
    terms.format.number, terms.fields?.rawValue, id.bytes)
  let kinds = terms.events.all.map { "\($0.number)" }.joined(separator: ", ")
  try db.run(
    """
    DELETE FROM events
    WHERE mapping = (SELECT seq FROM mappings WHERE id = ?) AND kind NOT IN (\(kinds))
    """, id.bytes)
  guard !terms.events.all.contains(.memeCreated) else { return }
  try db.run("UPDATE mappings SET reloaded = NULL, reload_until = NULL WHERE id = ?", id.bytes)
}

/// Checks the terms against the scope of the connection.
///
/// - Returns: the `users.seq` of the author in the filter; `nil` if there is none.
private func checkedAuthor(
  of terms: Mapping.Terms, in connection: Int64, _ db: borrowing Transaction
) throws -> Int64? {
  let isGlobal: Bool? = try db.value("SELECT is_global FROM connections WHERE seq = ?", connection)
  if let fault = terms.fault(in: isGlobal == true ? .all : .own) {
    throw MemeError.invalid(field: fault.field, fault.1)
  }
  guard let username = terms.filter.author else { return nil }
  return try account(named: username.text, by: "filter.author", in: db)
}

/// The mappings of a connection, oldest first.
func storedMappings(
  of connection: Int64, _ id: ConnectionID, in db: borrowing Transaction
) throws -> [Mapping] {
  try db.all(ConnectionStore.mappingsQuery, connection) { row in try Mapping(&row) }
}

/// The columns that `Mapping` decodes. ``mappingTermsColumns`` are the last ones.
let mappingColumns = """
  m.id, (SELECT id FROM connections WHERE seq = m.connection), m.reloaded IS NOT NULL, m.created_at,
  \(mappingTermsColumns)
  """

/// The columns that `Mapping.Terms` decodes, of the tables `m` and `authors`.
let mappingTermsColumns = "m.events, authors.username, m.visibility, m.tag, m.format, m.fields"

extension Mapping {
  init(_ row: inout Row) throws {
    let (id, connection) = (
      MappingID(try row.nextUUID()), ConnectionID(try row.nextUUID())
    )
    let (isReloading, createdAt) = (try row.next() as Bool, try row.nextTimestamp())
    self.init(
      id: id, of: connection, try Terms(&row), isReloading: isReloading, createdAt: createdAt)
  }
}

extension Mapping.Terms {
  init(_ row: inout Row) throws {
    let number: Int = try row.next()
    let author = (try row.next() as String?).map(Username.init(stored:))
    let visibility: Visibility? =
      if try row.isNextNull {
        try {
          try row.skip(1); return nil
        }()
      } else { try row.nextVisibility() }
    let tag = (try row.next() as String?).map(Tag.init(stored:))
    let format = MessageFormat(number: try row.next())
    let fields = (try row.next() as Int?).map(MemeFields.init(rawValue:))
    let kinds = EventKind.allCases.enumerated().filter { number & 1 << $0.offset != 0 }
    guard let events = EventKinds(Set(kinds.map(\.element))), let format else {
      throw DatabaseError(.mismatch, "Unknown events or format in the database.")
    }
    self.init(
      events: events, filter: Mapping.Filter(author: author, visibility: visibility, tag: tag),
      format: format, fields: fields)
  }
}

extension EventKind {
  /// The stored value, and the number of its bit.
  var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}

extension EventKinds {
  /// The stored value.
  fileprivate var number: Int { all.reduce(0) { $0 | 1 << $1.number } }
}

extension MessageFormat {
  /// The stored value.
  fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  fileprivate init?(number: Int) {
    guard Self.allCases.indices.contains(number) else { return nil }
    self = Self.allCases[number]
  }
}
