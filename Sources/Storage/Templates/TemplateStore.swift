package import Bytes
package import Memes
package import SQL

/// Stores templates in the tables `templates`, `template_aliases` and `template_words`, their files in `blobs`, the IDs
/// of deleted ones in `deleted_templates`, and the responses of idempotent requests in `retries`.
///
/// Each call is one transaction, except ``change(_:if:by:recording:_:)``. Changes are durable on return. Reads run on
/// the caller's thread, writes on the writer thread.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
package struct TemplateStore: Sendable {
  let writer: ObservedWriter
  let readers: any Readers
  private let limits: StorageLimits
  private let blobs: Blobs

  /// - Parameters:
  ///   - limits: the maximum storage of accounts and of anonymous users.
  ///   - observers: notified of every changed or deleted template.
  package init(
    _ database: any Database, limits: StorageLimits = StorageLimits(),
    observers: [any ChangeObserver] = []
  ) {
    (readers, self.limits) = (database.readers, limits)
    writer = ObservedWriter(database, observers: observers)
    blobs = database.blobs
  }

  /// Stores the template and its files.
  ///
  /// - Parameters:
  ///   - viewer: becomes the author if it is a signed-in user.
  ///   - record: stored together with the template.
  /// - Returns: the stored response, if the key was used before. Then nothing is written.
  /// - Throws: ``MemeError/quotaExceeded(_:)``; ``MemeError/unauthorized`` if the account was deleted.
  package func insert(
    _ template: Template, _ files: TemplateFiles, by viewer: Principal,
    recording record: IdempotencyRecord?
  ) async throws -> IdempotencyRecord? {
    let (picture, thumbnail) = (template.picture, template.thumbnail)
    async let newPicture = blobs.prepare(files.picture.bytes)
    async let newThumbnail = blobs.prepare(files.thumbnail.bytes)
    let new = try await (picture: newPicture, thumbnail: newThumbnail)
    return try await writer.transaction(bytes: picture.byteCount + thumbnail.byteCount) {
      db in
      try db.lock(account: viewer.person)
      if viewer.person == nil, !viewer.isAdmin { try db.lock(all: .anonymousTemplates) }
      if let first = try earlierRecord(than: record, at: template.createdAt, in: db) {
        return first
      }
      let author = try authorNumber(viewer.person, in: db)
      try limits.check(adding: template.byteCount, by: author, in: db)
      if !viewer.isAdmin { try limits.checkTemplates(by: author, in: db) }
      try insertTemplate(template, new.picture, new.thumbnail, by: author, in: db)
      if let record { try insertRecord(record, in: db) }
      return nil
    }
  }

  /// Stores templates that belong to the server. They have no author and count in no quota.
  ///
  /// - Parameter onlyIfNew: stores them only if the server never had a template.
  /// - Returns: whether they were stored: all of them or none.
  /// - Throws: ``MemeError/aliasTaken``.
  package func insert(
    ofServer new: [(template: Template, files: TemplateFiles)], onlyIfNew: Bool
  ) async throws -> Bool {
    var rows: [(template: Template, picture: NewBlob, thumbnail: NewBlob)] = []
    for (template, files) in new {
      rows.append(
        (
          template, try await blobs.prepare(files.picture.bytes),
          try await blobs.prepare(files.thumbnail.bytes)
        ))
    }
    let bytes = new.reduce(0) { $0 + $1.template.byteCount }
    return try await writer.transaction(bytes: bytes) { [rows] db in
      try db.lock(all: .anonymousTemplates)
      if onlyIfNew {
        guard try !hadTemplates(in: db) else { return false }
      }
      for row in rows {
        try insertTemplate(
          row.template, row.picture, row.thumbnail, by: nil, isServers: true, in: db)
      }
      return true
    }
  }

  /// Whether the server has a template, or ever had one.
  package func hadTemplates() async throws -> Bool {
    try await readers.read { db in try hadTemplates(in: db) }
  }

  private func hadTemplates(in db: borrowing Transaction) throws -> Bool {
    try db.value(
      "SELECT EXISTS (SELECT 1 FROM templates) OR EXISTS (SELECT 1 FROM deleted_templates)")
      ?? false
  }

  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func template(_ id: TemplateID) async throws -> Template {
    try await template(.id(id))
  }

  /// - Throws: ``MemeError/notFound``; ``MemeError/gone`` if the ID is that of a deleted template.
  package func template(_ reference: TemplateReference) async throws -> Template {
    try await readers.read { db in
      switch reference {
      case .id(let id):
        let found = try db.first("SELECT \(templateColumns) FROM templates WHERE id = ?", id.bytes)
        {
          row in try Template(&row)
        }
        if let found { return found }
        throw try absence(of: id, in: db)
      case .alias(let alias):
        let found = try db.first(
          """
          SELECT \(templateColumns) FROM templates
          WHERE seq = (SELECT template FROM template_aliases WHERE alias = ?)
          """, alias.text
        ) { row in try Template(&row) }
        guard let found else { throw MemeError.notFound }
        return found
      }
    }
  }

  /// One of the template's files.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func picture(
    _ role: TemplateRole, of id: TemplateID
  ) async throws -> StoredPictureFile {
    blobs.file(try await readers.read { db in try foundPicture(role, of: id, in: db) })
  }

  /// The template's picture, read on the calling thread, which blocks until then.
  ///
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``.
  package func blockingPicture(of id: TemplateID) throws -> Bytes {
    let found = try readers.blockingRead { db in try foundPicture(.picture, of: id, in: db) }
    return try blobs.blockingFile(found).bytes
  }

  /// Deletes the template and its files for good. Memes made from it have their own copy.
  ///
  /// - Parameter entry: written in the same transaction if the template is not the viewer's own; `nil` if the viewer is
  ///   not an admin.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the template; ``MemeError/versionMismatch`` if it has another version than the condition
  ///   requires.
  package func delete(
    _ id: TemplateID, if condition: VersionCondition, by viewer: Principal,
    recording entry: AuditEntry?
  ) async throws {
    let policy = AccessPolicy(viewer)
    try await writer.write { db in
      try db.lock(authorsOf: "templates", id.bytes)
      let deleted = try db.first(
        """
        DELETE FROM templates WHERE id = ?2 AND \(policy.owns(.template(id), "templates"))
        RETURNING version, blob, thumbnail_blob,
          author IS NOT NULL AND author IS NOT DISTINCT FROM \(AccessPolicy.asking)
        """, policy.person, id.bytes
      ) { row in
        (
          version: try row.next() as Int, blob: try row.next() as Int64,
          thumbnail: try row.next() as Int64, isViewers: try row.next() as Bool
        )
      }
      guard let deleted else {
        // All templates are public.
        let isThere = try templateBlob(of: id, in: db) != nil
        throw isThere ? viewer.refusal : try absence(of: id, in: db)
      }
      // The error undoes the deletion.
      guard condition.allows(deleted.version) else { throw MemeError.versionMismatch }
      try db.run("DELETE FROM blobs WHERE id IN (?, ?)", deleted.blob, deleted.thumbnail)
      try db.run("INSERT INTO deleted_templates (id) VALUES (?)", id.bytes)
      if !deleted.isViewers { try record(entry, in: db) }
      return Written((), .templateChanged(id))
    }
  }

  /// The number of templates without an author, except those of the server.
  package func anonymousCount() async throws -> Int {
    try await readers.read { db in
      try db.value(
        "SELECT count(*) FROM templates WHERE author IS NULL AND NOT belongs_to_server") ?? 0
    }
  }

  /// Deletes one batch of the templates without an author, except those of the server. Templates newer than the first
  /// batch are left alone.
  ///
  /// - Parameters:
  ///   - run: the result of the previous batch; `nil` for the first one.
  ///   - entry: written with the first batch. Each batch updates its count.
  package func deleteAnonymous(
    continuing run: BulkRun?, recording entry: AuditEntry, _ batch: PurgeBatch
  ) async throws -> BulkRun {
    try await writer.write { db in
      try db.lock(all: .anonymousTemplates)
      let end: ListPosition
      if let run { end = run.end } else { end = try newest(of: "templates", in: db) }
      // Locked: otherwise, a template that its owner deletes now would be missing from the batch, which would seem to
      // be the last one.
      let deleted = try db.all(
        """
        DELETE FROM templates WHERE seq IN (
          SELECT seq FROM templates INDEXED BY templates_of_nobody
          WHERE author IS NULL AND NOT belongs_to_server AND +seq <= ? LIMIT ?
          \(db.dialect == .postgreSQL ? "FOR UPDATE" : ""))
        RETURNING id, blob, byte_count, thumbnail_blob, thumbnail_byte_count
        """, end.sequence, batch.count
      ) { row in
        (
          id: TemplateID(try row.nextUUID()),
          files: [(try row.next(), try row.next()), (try row.next(), try row.next())]
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
      let run = BulkRun(
        entry: try keep(entry, of: run, counting: count, in: db), end: end, count: count,
        isOver: deleted.count < batch.count)
      return Written(run, changes: deleted.map { .templateChanged($0.id) })
    }
  }
}

/// Inserts the row of a template, its files, aliases and words.
///
/// - Parameter author: `users.seq`; `nil` if the template has no author.
private func insertTemplate(
  _ template: Template, _ newPicture: NewBlob, _ newThumbnail: NewBlob, by author: Int64?,
  isServers: Bool = false, in db: borrowing Transaction
) throws {
  let (fields, picture, thumbnail) = (template.fields, template.picture, template.thumbnail)
  let (blob, small) = (try newPicture.insert(in: db), try newThumbnail.insert(in: db))
  let number = try db.insert(
    """
    INSERT INTO templates (
      id, created_at, name, alt_text, boxes, pictures, tags, aliases, source, version, format, width, height,
      byte_count, digest, blob, thumbnail_format, thumbnail_width, thumbnail_height, thumbnail_byte_count,
      thumbnail_digest, thumbnail_blob, author, belongs_to_server
    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING seq
    """,
    template.id.bytes, template.createdAt.millisecondsSince1970, fields.name.text,
    fields.altText.text, try StoredTemplateBox.encode(fields.boxes),
    try StoredPictureBox.encode(fields.pictures),
    StoredTags.encode(fields.tags), StoredTags.encode(fields.aliases.map { Tag(stored: $0.text) }),
    fields.source?.text, template.version, picture.format.rawValue, picture.size.width,
    picture.size.height, picture.byteCount, picture.digest.bytes, blob,
    thumbnail.format.rawValue, thumbnail.size.width, thumbnail.size.height, thumbnail.byteCount,
    thumbnail.digest.bytes, small, author, isServers)
  try replaceNames(fields, of: number, in: db)
}

/// The number of the row with a template's bytes; `nil` if there is no such template.
func templateBlob(
  of id: TemplateID, in db: borrowing Transaction
) throws -> Int64? {
  try db.value("SELECT blob FROM templates WHERE id = ?", id.bytes)
}

private func foundPicture(
  _ role: TemplateRole, of id: TemplateID, in db: borrowing Transaction
) throws -> PlacedFile {
  let found = try placedPicture(role, "id = ?", id.bytes, in: db)
  if let found { return found }
  throw try absence(of: id, in: db)
}

/// The reason why there is no template with this ID.
func absence(
  of id: TemplateID, in db: borrowing Transaction
) throws -> MemeError {
  try db.exists("SELECT 1 FROM deleted_templates WHERE id = ?", id.bytes) ? .gone : .notFound
}
