package import Memes
import SQL

extension MemeArchive {
  /// The next templates, ordered by sequence number.
  ///
  /// A template that cannot be read is included, with its ``ArchivedTemplate/damage``.
  package func templates(
    after sequence: Int64, upTo end: Int64, limit: Int
  ) throws -> [ArchivedTemplate] {
    try readers.blockingRead { db in
      let sequences: [Int64] = try db.column(
        "SELECT seq FROM templates WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        sequence, end, limit)
      var templates: [ArchivedTemplate] = []
      for sequence in sequences { templates.append(archivedTemplate(sequence, in: db)) }
      return templates
    }
  }

  /// The row and the bytes of a template's file, from one snapshot; `nil` if the template was deleted during the check.
  package func picture(
    _ role: TemplateRole, ofTemplate sequence: Int64
  ) throws -> PictureFile? {
    let placed = try readers.blockingRead { db in
      try placedPicture(role, "seq = ?", sequence, in: db)
    }
    return try placed.map(blobs.checkedFile)
  }
}

/// One template. A row that cannot be read is reported as damage of this template only.
private func archivedTemplate(
  _ sequence: Int64, in db: borrowing Transaction
) -> ArchivedTemplate {
  var id: TemplateID?
  do {
    // Decodes the names and sizes, as every reader of the template does.
    id = try db.first("SELECT \(templateColumns) FROM templates WHERE seq = ?", sequence) { row in
      try Template(&row).id
    }
    let found = try db.first(
      """
      SELECT EXISTS (SELECT 1 FROM blobs WHERE blobs.id = templates.blob),
        EXISTS (SELECT 1 FROM blobs WHERE blobs.id = templates.thumbnail_blob)
      FROM templates WHERE seq = ?
      """, sequence
    ) { row in
      [TemplateRole.picture: try row.next() as Bool, .thumbnail: try row.next() as Bool]
    }
    return ArchivedTemplate(sequence: sequence, id: id, files: found ?? [:], damage: nil)
  } catch {
    return ArchivedTemplate(sequence: sequence, id: id, files: [:], damage: error.reason)
  }
}
