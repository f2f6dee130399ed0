package import Memes
package import SQLite

/// Templates in SQLite: what ``Templating`` and ``Drawing`` need, in the tables `templates`, `blobs`, `deleted_templates`
/// and `retries`. Reads run on the caller's thread, writes on the writer's.
package struct SQLiteTemplates: TemplateStore {
  private let writer: Writer
  private let readers: Readers
  private let limits: StorageLimits

  /// - Parameter limits: of what is stored.
  package init(_ database: Database, limits: StorageLimits = StorageLimits()) {
    (writer, readers, self.limits) = (database.writer, database.readers, limits)
  }

  package func insert(
    _ template: Template, _ files: TemplateFiles, by viewer: Viewer,
    answering answer: FirstAnswer?
  ) async throws(MemeError) -> FirstAnswer? {
    let (picture, thumbnail) = (template.picture, template.thumbnail)
    return try await writer.transaction(bytes: picture.byteCount + thumbnail.byteCount) {
      db throws(MemeError) in
      if let first = try earlierAnswer(than: answer, at: template.createdAt, in: db) {
        return first
      }
      let author = try authorNumber(viewer.person, in: db)
      try limits.check(adding: template.byteCount, by: author, in: db)
      if !viewer.isAdmin { try limits.checkTemplates(by: author, in: db) }
      let blob = try db.insert("INSERT INTO blobs (bytes) VALUES (?)", files.picture.bytes)
      let small = try db.insert("INSERT INTO blobs (bytes) VALUES (?)", files.thumbnail.bytes)
      try db.run(
        """
        INSERT INTO templates (
          id, created_at, name, alt_text, format, width, height, byte_count, digest, blob, thumbnail_format,
          thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest, thumbnail_blob,
          author
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        template.id.bytes, template.createdAt.millisecondsSince1970, template.name.text,
        template.altText.text, picture.format.rawValue, picture.size.width, picture.size.height,
        picture.byteCount, picture.digest.bytes, blob, thumbnail.format.rawValue,
        thumbnail.size.width, thumbnail.size.height, thumbnail.byteCount, thumbnail.digest.bytes,
        small, author)
      if let answer { try insertAnswer(answer, in: db) }
      return nil
    }
  }

  package func template(_ id: TemplateID) async throws(MemeError) -> Template {
    try readers.read { db throws(MemeError) in
      let found = try db.first("\(selectTemplate) WHERE id = ?", id.bytes) {
        row throws(SQLiteError) in try Template(row)
      }
      if let found { return found }
      throw try absence(of: id, in: db)
    }
  }

  package func templates(
    after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Template> {
    let limit = max(0, limit)
    let rows = try readers.read { db throws(MemeError) in
      try db.all(
        "\(selectTemplate) WHERE seq < ? ORDER BY seq DESC LIMIT ?",
        position?.sequence ?? .max, limit + 1
      ) { row throws(SQLiteError) in (try row[0] as Int64, try Template(row)) }
    }
    return page(rows, limit: limit)
  }

  package func templates(
    of person: UserID, after position: ListPosition?, limit: Int
  ) async throws(MemeError) -> Page<Template> {
    let limit = max(0, limit)
    let rows = try readers.read { db throws(MemeError) in
      try db.all(
        """
        \(selectTemplate) WHERE author = (SELECT seq FROM users WHERE id = ?) AND seq < ?
        ORDER BY seq DESC LIMIT ?
        """, person.bytes, position?.sequence ?? .max, limit + 1
      ) { row throws(SQLiteError) in (try row[0] as Int64, try Template(row)) }
    }
    return page(rows, limit: limit)
  }

  package func picture(
    _ role: TemplateRole, of id: TemplateID
  ) throws(MemeError) -> PictureFile {
    try readers.read { db throws(MemeError) in
      let found = try storedPicture(role, "id = ?", id.bytes, in: db)
      if let found { return found }
      throw try absence(of: id, in: db)
    }
  }

  package func delete(
    _ id: TemplateID, by viewer: Viewer, recording entry: AuditEntry?
  ) async throws(MemeError) {
    let sight = Sight(viewer)
    try await writer.transaction { db throws(MemeError) in
      let blobs = try db.first(
        """
        DELETE FROM templates WHERE id = ?2 AND \(sight.owns(.template(id), "templates"))
        RETURNING blob, thumbnail_blob, author IS NOT NULL AND author IS \(Sight.asking)
        """, sight.person, id.bytes
      ) { row throws(SQLiteError) in
        (try row[0] as Int64, try row[1] as Int64, isViewers: try row[2] as Bool)
      }
      guard let blobs else {
        // Templates are for everybody to see.
        let isThere = try templateBlob(of: id, in: db) != nil
        throw isThere ? viewer.refusal : try absence(of: id, in: db)
      }
      try db.run("DELETE FROM blobs WHERE id IN (?, ?)", blobs.0, blobs.1)
      try db.run("INSERT INTO deleted_templates (id) VALUES (?)", id.bytes)
      if !blobs.isViewers { try record(entry, in: db) }
    }
  }

  package func anonymousCount() async throws(MemeError) -> Int {
    try readers.read { db throws(MemeError) in
      try db.first("SELECT count(*) FROM templates WHERE author IS NULL") {
        row throws(SQLiteError) in try row[0] as Int
      } ?? 0
    }
  }

  package func deleteAnonymous(
    continuing run: BulkRun?, recording entry: AuditEntry, _ batch: PurgeBatch
  ) async throws(MemeError) -> BulkRun {
    try await writer.transaction { db throws(MemeError) in
      let end: ListPosition
      if let run { end = run.end } else { end = try newest(of: "templates", in: db) }
      let deleted = try db.all(
        """
        DELETE FROM templates WHERE seq IN (
          SELECT seq FROM templates INDEXED BY templates_of_nobody WHERE author IS NULL AND +seq <= ? LIMIT ?)
        RETURNING id, blob, byte_count, thumbnail_blob, thumbnail_byte_count
        """, end.sequence, batch.count
      ) { row throws(SQLiteError) in
        (
          id: TemplateID(try row.uuid(at: 0)),
          files: [(try row[1], try row[2]), (try row[3], try row[4])]
            as [(blob: Int64, bytes: Int)]
        )
      }
      for template in deleted {
        try db.run("INSERT INTO deleted_templates (id) VALUES (?)", template.id.bytes)
        for file in template.files {
          try db.run(
            "INSERT INTO discarded_blobs (blob, byte_count) VALUES (?, ?)", file.blob, file.bytes)
        }
      }
      let count = (run?.count ?? 0) + deleted.count
      return BulkRun(
        entry: try keep(entry, of: run, counting: count, in: db), end: end, count: count,
        isOver: deleted.count < batch.count)
    }
  }
}

/// - Parameter rows: each with its place in the list. One more than asked for tells that there is a next page.
private func page(_ rows: [(place: Int64, template: Template)], limit: Int) -> Page<Template> {
  let shown = rows.prefix(limit)
  let isLast = rows.count == shown.count
  return Page(
    items: shown.map(\.template),
    next: isLast ? nil : shown.last.map { ListPosition(sequence: $0.place) })
}

/// The row of a template's bytes; `nil` where there is no such template.
func templateBlob(
  of id: TemplateID, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> Int64? {
  try db.first("SELECT blob FROM templates WHERE id = ?", id.bytes) {
    row throws(SQLiteError) in try row[0]
  }
}

/// Why there is no template of this id.
private func absence(
  of id: TemplateID, in db: borrowing Transaction<MemeError>
) throws(MemeError) -> MemeError {
  let deleted = try db.first("SELECT 1 FROM deleted_templates WHERE id = ?", id.bytes) { _ in
    true
  }
  return deleted == nil ? .notFound : .gone
}
