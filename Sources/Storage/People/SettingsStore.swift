package import Memes
package import SQL

/// The personal settings of users, in the table `settings`. Each call is one transaction, except
/// ``change(of:if:_:)``, which reads and writes in separate ones.
///
/// Every method may throw ``MemeError/storageFull``,
/// ``MemeError/storageBusy``, ``MemeError/storageStarved(_:)`` or ``MemeError/storage(_:)``.
package struct SettingsStore: Sendable {
  /// How often a change is tried if other requests change the settings at the same time.
  private static let attempts = 5

  private let writer: any Writer
  private let readers: any Readers

  package init(_ database: any Database) { (writer, readers) = (database.writer, database.readers) }

  /// The user's settings, which are one row; the standard settings if none are stored.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func settings(of person: UserID) async throws -> StoredSettings {
    let found: StoredSettings? = try await readers.read { db in
      try db.first(Self.query, person.bytes) { row in
        try StoredSettings(&row)
      }
    }
    guard let settings = found else { throw MemeError.unauthorized }
    return settings
  }

  /// The viewer's settings, as defaults for values that a request omits. If the viewer is not signed in, these are the
  /// standard settings, and nothing is read.
  ///
  /// - Throws: ``MemeError/unauthorized`` if the account was deleted.
  package func settings(of viewer: Principal) async throws -> PersonalSettings {
    guard let person = viewer.person else { return PersonalSettings() }
    return try await settings(of: person).settings
  }

  /// Changes the settings to the result of `revise`. On return, the change is durable. If the result equals the current
  /// settings, nothing is written.
  ///
  /// - Parameter revise: receives the current settings, on the calling thread. Called again if another request changed
  ///   them in the meantime. Its errors are rethrown.
  /// - Returns: the current settings.
  /// - Throws: ``MemeError/versionMismatch`` if the settings have another version than the condition requires;
  ///   ``MemeError/unauthorized`` if the account was deleted; ``MemeError/storageBusy`` if other requests keep changing
  ///   the settings.
  package func change(
    of person: UserID, if condition: VersionCondition,
    _ revise: (PersonalSettings) throws -> PersonalSettings
  ) async throws -> StoredSettings {
    for _ in 1...Self.attempts {
      let before = try await settings(of: person)
      guard condition.allows(before.version) else { throw MemeError.versionMismatch }
      let revised = try revise(before.settings)
      guard revised != before.settings else { return before }
      if let version = try await keep(revised, of: person, insteadOf: before.version) {
        return StoredSettings(settings: revised, version: version)
      }
    }
    throw MemeError.storageBusy
  }

  /// Stores the next version of the settings. On return, it is durable.
  ///
  /// - Returns: the new version; `nil` if the settings did not have `version`, or the account was deleted. Then nothing
  ///   is written.
  package func keep(
    _ settings: PersonalSettings, of person: UserID, insteadOf version: Int
  ) async throws -> Int? {
    let (captions, choices) = (settings.captions, settings.captions.choices)
    let (access, told) = (settings.accessibility, settings.notifications)
    return try await writer.transaction { db in
      try db.lock(account: person)
      return try db.value(
        """
        INSERT INTO settings (
          user, version, theme, text_scale, reduced_motion, high_contrast, caption_layout, caption_font, caption_fill,
          caption_outline, caption_outline_width, caption_size, caption_case, caption_align, visibility, notify_likes,
          notify_comments, notify_follows)
        SELECT seq, \(NextVersion.sql(after: "?")), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM users
        WHERE id = ? AND coalesce((SELECT version FROM settings WHERE user = seq), 0) = ?
        ON CONFLICT (user) DO UPDATE SET
          version = excluded.version, theme = excluded.theme, text_scale = excluded.text_scale,
          reduced_motion = excluded.reduced_motion, high_contrast = excluded.high_contrast,
          caption_layout = excluded.caption_layout, caption_font = excluded.caption_font,
          caption_fill = excluded.caption_fill, caption_outline = excluded.caption_outline,
          caption_outline_width = excluded.caption_outline_width, caption_size = excluded.caption_size,
          caption_case = excluded.caption_case, caption_align = excluded.caption_align,
          visibility = excluded.visibility, notify_likes = excluded.notify_likes,
          notify_comments = excluded.notify_comments, notify_follows = excluded.notify_follows
        RETURNING version
        """,
        version, settings.theme.rawValue, access.textScale, access.reducedMotion,
        access.highContrast, captions.layout?.rawValue, choices.font?.text, choices.fill?.rgb,
        choices.outline?.rgb, choices.outlineWidth, choices.size, choices.letterCase?.rawValue,
        choices.align?.rawValue, settings.visibility.rawValue, told.likes, told.comments,
        told.follows, person.bytes, version)
    }
  }

  static let query = """
    SELECT version, theme, text_scale, reduced_motion, high_contrast, caption_layout, caption_font, caption_fill,
      caption_outline, caption_outline_width, caption_size, caption_case, caption_align, visibility, notify_likes,
      notify_comments, notify_follows
    FROM users LEFT JOIN settings ON settings.user = users.seq WHERE users.id = ?
    """
}

extension StoredSettings {
  /// Decodes the columns that ``SettingsStore`` selects.
  fileprivate init(_ row: inout Row) throws {
    guard let version: Int = try row.next() else {
      self.init(settings: PersonalSettings(), version: 0)
      return
    }
    var settings = PersonalSettings()
    settings.theme = try row.nextWord()
    settings.accessibility.textScale = try row.next()
    settings.accessibility.reducedMotion = try row.next()
    settings.accessibility.highContrast = try row.next()
    settings.captions.layout = try row.nextOptionalWord()
    settings.captions.choices = try StyleChoices(&row)
    settings.visibility = try row.nextWord()
    settings.notifications.likes = try row.next()
    settings.notifications.comments = try row.next()
    settings.notifications.follows = try row.next()
    self.init(settings: settings, version: version)
  }
}

extension StyleChoices {
  /// Decodes font, fill, outline, outline width, size, case and alignment.
  fileprivate init(_ row: inout Row) throws {
    self.init()
    font = (try row.next() as String?).map(FontID.init(stored:))
    (fill, outline) = (try row.nextOptionalColor(), try row.nextOptionalColor())
    (outlineWidth, size) = (try row.next(), try row.next())
    letterCase = try row.nextOptionalWord()
    align = try row.nextOptionalWord()
  }
}

extension Row {
  fileprivate mutating func nextWord<Word: RawRepresentable>() throws -> Word
  where Word.RawValue == String {
    guard let word: Word = try nextOptionalWord() else {
      throw DatabaseError(.mismatch, "A setting is missing from the database.")
    }
    return word
  }

  fileprivate mutating func nextOptionalWord<Word: RawRepresentable>() throws -> Word?
  where Word.RawValue == String {
    guard let text: String = try next() else { return nil }
    guard let word = Word(rawValue: text) else {
      throw DatabaseError(.mismatch, "Unknown setting value in the database.")
    }
    return word
  }
}
