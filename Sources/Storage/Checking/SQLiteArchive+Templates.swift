package import Memes
import SQLite

extension SQLiteArchive {
  package func templates(
    after sequence: Int64, upTo end: Int64, limit: Int
  ) throws(MemeError) -> [ArchivedTemplate] {
    try readers.read { db throws(MemeError) in
      let sequences = try db.all(
        "SELECT seq FROM templates WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
        sequence, end, limit
      ) { row throws(SQLiteError) in try row[0] as Int64 }
      var templates: [ArchivedTemplate] = []
      for sequence in sequences { templates.append(archivedTemplate(sequence, in: db)) }
      return templates
    }
  }

  package func picture(
    _ role: TemplateRole, ofTemplate sequence: Int64
  ) throws(MemeError) -> PictureFile? {
    try readers.read { db throws(MemeError) in
      try storedPicture(role, "seq = ?", sequence, in: db)
    }
  }
}

/// One template; what cannot be read is its damage and nobody else's.
private func archivedTemplate(
  _ sequence: Int64, in db: borrowing Transaction<MemeError>
) -> ArchivedTemplate {
  var id: TemplateID?
  do throws(MemeError) {
    // The names, the sizes: whatever a reader of the template decodes.
    id = try db.first("\(selectTemplate) WHERE seq = ?", sequence) { row throws(SQLiteError) in
      try Template(row).id
    }
    let found = try db.first(
      """
      SELECT EXISTS (SELECT 1 FROM blobs WHERE blobs.id = templates.blob),
        EXISTS (SELECT 1 FROM blobs WHERE blobs.id = templates.thumbnail_blob)
      FROM templates WHERE seq = ?
      """, sequence
    ) { row throws(SQLiteError) in
      [TemplateRole.picture: try row[0] as Bool, .thumbnail: try row[1] as Bool]
    }
    return ArchivedTemplate(sequence: sequence, id: id, files: found ?? [:], damage: nil)
  } catch {
    return ArchivedTemplate(sequence: sequence, id: id, files: [:], damage: error.reason)
  }
}
