import Foundation
import Memes
import SQL
import SQLite

@testable import Storage

// Actions of people, inserted as rows. Notifications do not depend on who wrote the rows.

extension Scratch {
  var notifications: NotificationStore { NotificationStore(database) }

  func like(_ meme: MemeID, by person: Author, at time: Int64 = 0) async throws {
    try await database.writer.transaction { db in
      try db.run(
        """
        INSERT INTO likes (meme, user, created_at)
        SELECT memes.seq, users.seq, ?3 FROM memes, users WHERE memes.id = ?1 AND users.id = ?2
        """, meme.bytes, person.id.bytes, time)
    }
  }

  func unlike(_ meme: MemeID, by person: Author) async throws {
    try await database.writer.transaction { db in
      try db.run(
        """
        DELETE FROM likes
        WHERE meme = (SELECT seq FROM memes WHERE id = ?)
          AND user = (SELECT seq FROM users WHERE id = ?)
        """, meme.bytes, person.id.bytes)
    }
  }

  func comment(
    _ text: String = "x", on meme: MemeID, by person: Author, at time: Int64 = 0
  ) async throws {
    try await database.writer.transaction { db in
      try db.run(
        """
        INSERT INTO comments (id, meme, user, created_at, text)
        SELECT randomblob(16), memes.seq, users.seq, ?3, ?4 FROM memes, users
        WHERE memes.id = ?1 AND users.id = ?2
        """, meme.bytes, person.id.bytes, time, text)
    }
  }

  /// Deletes the last comment of a person.
  func uncomment(by person: Author) async throws {
    try await database.writer.transaction { db in
      try db.run(
        """
        UPDATE comments SET deleted_at = 1, text = '' WHERE seq = (
          SELECT max(seq) FROM comments
          WHERE user = (SELECT seq FROM users WHERE id = ?) AND deleted_at IS NULL)
        """, person.id.bytes)
    }
  }

  func follow(_ person: Author, by follower: Author, at time: Int64 = 0) async throws {
    try await RelationStore(database).follow(
      person.username, by: follower.id, at: Timestamp(millisecondsSince1970: time))
  }

  func block(_ person: Author, by blocker: Author) async throws {
    try await RelationStore(database).block(
      person.username, by: blocker.id, at: Timestamp(millisecondsSince1970: 0))
  }

  func unblock(_ person: Author, by blocker: Author) async throws {
    try await RelationStore(database).unblock(person.username, by: blocker.id)
  }

  /// Changes which notifications the person gets.
  func choose(_ person: Author, _ change: (inout PersonalSettings.Notifications) -> Void)
    async throws
  {
    let store = SettingsStore(database)
    let version = try await store.settings(of: person.id).version
    var settings = PersonalSettings()
    change(&settings.notifications)
    _ = try await store.keep(settings, of: person.id, insteadOf: version)
  }

  /// Returns the notifications of a person, page by page.
  func notifications(
    of person: Author, limit: Int = 100
  ) async throws -> [Memes.Notification] {
    var (found, position): ([Memes.Notification], ListPosition?) = ([], nil)
    repeat {
      let page = try await notifications.notifications(
        for: .person(person.id), after: position, limit: limit
      ).page
      found += page.items
      position = page.next
    } while position != nil
    return found
  }

  /// Returns the same as text. A star marks an unread notification.
  func told(_ person: Author) async throws -> [String] {
    try await notifications(of: person).map { notification in
      let names = notification.actors.map(\.username.text).joined(separator: " ")
      return "\(notification.isRead ? "" : "*")\(notification.count) \(notification.kind) \(names)"
    }
  }

  func unread(_ person: Author) async throws -> Int {
    try await notifications.notifications(for: .person(person.id), after: nil, limit: 1).unread
  }

  func readAll(_ person: Author) async throws {
    try await notifications.markRead(through: nil, by: person.id)
  }
}
