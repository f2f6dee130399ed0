package import Memes
import SQL

extension TemplateStore {
  /// How often a change is tried if other requests change the template at the same time.
  private static let attempts = 5

  /// Changes the fields of a template to the result of `revise`. On return, the change is durable. If the result equals
  /// the current fields, nothing is written. Memes made from the template stay as they are.
  ///
  /// It reads and writes in separate transactions.
  ///
  /// - Parameters:
  ///   - entry: written in the transaction of the change if the template is not the viewer's own; `nil` if the viewer
  ///     is not an admin.
  ///   - revise: receives the current fields. Called again if another request changed them in the meantime. Its errors
  ///     are rethrown.
  /// - Throws: ``MemeError/notFound``, ``MemeError/gone``; ``MemeError/unauthorized`` or ``MemeError/forbidden`` if the
  ///   viewer does not own the template; ``MemeError/versionMismatch`` if it has another version than the condition
  ///   requires; ``MemeError/aliasTaken``; ``MemeError/storageBusy`` if other requests keep changing it.
  package func change(
    _ id: TemplateID, if condition: VersionCondition, by viewer: Principal,
    recording entry: AuditEntry?, _ revise: (TemplateFields) throws -> TemplateFields
  ) async throws -> Template {
    for _ in 1...Self.attempts {
      var template = try await owned(id, by: viewer)
      guard condition.allows(template.version) else { throw MemeError.versionMismatch }
      let revised = try revise(template.fields)
      guard revised != template.fields else { return template }
      if let version = try await keep(revised, of: template, by: viewer, recording: entry) {
        (template.fields, template.version) = (revised, version)
        return template
      }
    }
    throw MemeError.storageBusy
  }

  private func owned(_ id: TemplateID, by viewer: Principal) async throws -> Template {
    let policy = AccessPolicy(viewer)
    return try await readers.read { db in
      let found = try db.first(
        """
        SELECT coalesce(\(policy.owns(.template(id), "templates")), FALSE),
          \(templateColumns)
        FROM templates WHERE id = ?2
        """, policy.person, id.bytes
      ) { row in (isOwned: try row.next() as Bool, template: try Template(&row)) }
      guard let found else { throw try absence(of: id, in: db) }
      guard found.isOwned else { throw viewer.refusal }
      return found.template
    }
  }

  /// - Returns: the new version; `nil` if the template has another version than before, or was deleted. Then nothing is
  ///   written.
  private func keep(
    _ fields: TemplateFields, of before: Template, by viewer: Principal,
    recording entry: AuditEntry?
  ) async throws -> Int? {
    let policy = AccessPolicy(viewer)
    return try await writer.write { db in
      try db.lock(authorsOf: "templates", before.id.bytes)
      let changed = try db.first(
        """
        UPDATE templates SET name = ?3, alt_text = ?4, boxes = ?5, pictures = ?6, tags = ?7, aliases = ?8,
          source = ?9, version = \(NextVersion.sql())
        WHERE id = ?2 AND version = ?10 AND \(policy.owns(.template(before.id), "templates"))
        RETURNING seq, version, author IS NOT NULL AND author IS NOT DISTINCT FROM \(AccessPolicy.asking)
        """,
        policy.person, before.id.bytes, fields.name.text, fields.altText.text,
        try StoredTemplateBox.encode(fields.boxes), try StoredPictureBox.encode(fields.pictures),
        StoredTags.encode(fields.tags),
        StoredTags.encode(fields.aliases.map { Tag(stored: $0.text) }), fields.source?.text,
        before.version
      ) { row in
        (
          number: try row.next() as Int64, version: try row.next() as Int,
          isViewers: try row.next() as Bool
        )
      }
      guard let changed else { return Written(nil) }
      try replaceNames(fields, of: changed.number, in: db)
      if !changed.isViewers { try record(entry, in: db) }
      return Written(changed.version, .templateChanged(before.id))
    }
  }
}
