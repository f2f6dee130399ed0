package import Memes
package import SQLite

/// Stores settings for ``KeepingSettings``.
///
/// Every method may throw ``MemeError/storageFull``, ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or
/// ``MemeError/storage(_:)``.
///
/// Personal settings in SQLite, in the table `settings`. Reads run on the caller's thread, writes on the writer thread.
package struct SettingsStore: Sendable {
  private let writer: Writer
  private let readers: Readers

  package init(_ database: Database) { (writer, readers) = (database.writer, database.readers) }

  /// The user's settings, read on the calling thread. Returns the standard settings if none are stored, and `nil`
  /// if there is no such user.
  package func settings(of person: UserID) throws -> KeptSettings? {
    try readers.read { db in
      try db.first(Self.query, person.bytes) { row in
        try KeptSettings(row)
      }
    }
  }

  /// Stores the next version of the settings. On return, it is durable.
  ///
  /// - Returns: the new version; `nil` if the settings did not have `version`. Then nothing is written.
  package func keep(
    _ settings: PersonalSettings, of person: UserID, insteadOf version: Int
  ) async throws -> Int? {
    let (captions, choices) = (settings.captions, settings.captions.choices)
    let (access, told) = (settings.accessibility, settings.notifications)
    return try await writer.transaction { db in
      try db.first(
        """
        INSERT OR REPLACE INTO settings (
          user, version, theme, text_scale, reduced_motion, high_contrast, caption_layout, caption_font, caption_fill,
          caption_outline, caption_outline_width, caption_size, caption_case, caption_align, visibility, notify_likes,
          notify_comments, notify_follows)
        SELECT seq, \(NextVersion.sql(after: "?")), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM users
        WHERE id = ? AND coalesce((SELECT version FROM settings WHERE user = seq), 0) = ?
        RETURNING version
        """,
        version, settings.theme.rawValue, access.textScale, access.reducedMotion,
        access.highContrast, captions.layout?.rawValue, choices.font?.text, choices.fill?.rgb,
        choices.outline?.rgb, choices.outlineWidth, choices.size, choices.letterCase?.rawValue,
        choices.align?.rawValue, settings.visibility.rawValue, told.likes, told.comments,
        told.follows, person.bytes, version
      ) { row in try row[0] as Int }
    }
  }

  static let query = """
    SELECT version, theme, text_scale, reduced_motion, high_contrast, caption_layout, caption_font, caption_fill,
      caption_outline, caption_outline_width, caption_size, caption_case, caption_align, visibility, notify_likes,
      notify_comments, notify_follows
    FROM users LEFT JOIN settings ON settings.user = users.seq WHERE users.id = ?
    """
}

extension KeptSettings {
  /// Decodes the columns that ``SettingsStore`` selects.
  fileprivate init(_ row: borrowing Row) throws {
    guard let version: Int = try row[0] else {
      self.init(settings: PersonalSettings(), version: 0)
      return
    }
    var settings = PersonalSettings()
    settings.theme = try row.word(at: 1)
    settings.accessibility.textScale = try row[2]
    settings.accessibility.reducedMotion = try row[3]
    settings.accessibility.highContrast = try row[4]
    settings.captions.layout = try row.optionalWord(at: 5)
    settings.captions.choices = try StyleChoices(row, at: 6)
    settings.visibility = try row.word(at: 13)
    settings.notifications.likes = try row[14]
    settings.notifications.comments = try row[15]
    settings.notifications.follows = try row[16]
    self.init(settings: settings, version: version)
  }
}

extension StyleChoices {
  /// Decodes font, fill, outline, outline width, size, case and alignment from seven columns, beginning at `column`.
  fileprivate init(_ row: borrowing Row, at column: Int) throws {
    self.init()
    let text: String? = try row[column]
    font = text.map(FontID.init(stored:))
    (fill, outline) = (
      try row.optionalColour(at: column + 1), try row.optionalColour(at: column + 2)
    )
    (outlineWidth, size) = (try row[column + 3], try row[column + 4])
    letterCase = try row.optionalWord(at: column + 5)
    align = try row.optionalWord(at: column + 6)
  }
}

extension Row {
  fileprivate func word<Word: RawRepresentable>(
    at column: Int
  ) throws -> Word where Word.RawValue == String {
    guard let word: Word = try optionalWord(at: column) else {
      throw SQLiteError(.mismatch, "A setting is missing.")
    }
    return word
  }

  fileprivate func optionalWord<Word: RawRepresentable>(
    at column: Int
  ) throws -> Word? where Word.RawValue == String {
    guard let text: String = try self[column] else { return nil }
    guard let word = Word(rawValue: text) else {
      throw SQLiteError(.mismatch, "A setting is stored that there is not.")
    }
    return word
  }

  fileprivate func optionalColour(at column: Int) throws -> Color? {
    let rgb: Int? = try self[column]
    return rgb == nil ? nil : try colour(at: column)
  }
}
