import Bytes
import Crypto
import Foundation
import SQL
import SQLite

/// A picture with the facts that its rows contain.
struct EarlierPicture: Sendable {
  let bytes: [UInt8]
  let width: Int
  let height: Int
  let digest: [UInt8]

  init(_ bytes: [UInt8], width: Int, height: Int) {
    (self.bytes, self.width, self.height) = (bytes, width, height)
    digest = Array(SHA256.digest(of: Bytes(bytes)))
  }
}

/// The actions of people on a server of some version, written like that version wrote them. Statements of the migration
/// that created a table work for all later versions, because later columns have defaults.
struct EarlierRows {
  let version: Int
  let picture: EarlierPicture
  /// In milliseconds since 1970. No row may be so old that the server removes it.
  let now: Int64

  /// 8×8 pixels, because avatars are square.
  let square: EarlierPicture

  init(version: Int, picture: EarlierPicture, now: Int64) {
    (self.version, self.picture, self.now) = (version, picture, now)
    let file = Data(
      base64Encoded: """
        iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAL0lEQVR42mM4wWCDFTGc0LDBihhOBNhgRQwnKmywIo
        YTC2ywIoYTJ2ywIgaSXQUAnihVAaoRxQwAAAAASUVORK5CYII=
        """, options: .ignoreUnknownCharacters)
    square = EarlierPicture(Array(file ?? Data()), width: 8, height: 8)
  }

  typealias Connection = Transaction

  func insert(in db: borrowing Connection) throws {
    for (number, text) in ["nobody's", "in the trash", "styled", "private", "liked"].enumerated() {
      try insertMeme(number + 1, text, in: db)
    }
    try db.run("INSERT INTO deleted_memes (id, deleted_at) VALUES (?, ?)", id(10), now)
    let steps: [(since: Int, insert: (borrowing Connection) throws -> Void)] = [
      (2, deleteMeme), (3, insertRetry), (5, chooseStyles), (8, insertDerived),
      (9, insertUpload), (10, insertTemplate), (11, insertShare), (12, insertPeople),
      (13, giveAuthors), (14, insertReset), (15, insertSettings), (16, insertAudit),
      (17, insertMarks), (18, insertWords), (19, insertTakenBack), (20, insertReport),
      (21, moderate), (23, insertPieces), (26, insertLimits), (28, insertInvitation),
      (29, insertAccessToken), (34, insertSecondFactor), (35, insertConnection),
      (36, insertIdentity), (37, insertTags), (38, insertTemplateNames),
      (39, remix), (40, insertPictureBox), (41, evenSizes),
      (42, filterByTag),
    ]
    for step in steps where step.since <= version { try step.insert(db) }
  }

  /// Inserts a meme without an author, with its four pictures.
  ///
  /// - Returns: the number of its row.
  @discardableResult
  func insertMeme(
    _ number: Int, _ top: String, in db: borrowing Connection
  ) throws -> Int64 {
    let meme = try db.insert(
      """
      INSERT INTO memes (
        id, version, created_at, updated_at, top, bottom, alt_text, fill, outline, outline_width, size, fit, draft_digest
      ) VALUES (?, 1, ?, ?, ?, '', 'alt', 16777215, 0, 0.11, 0.14, '[]', zeroblob(32))
      RETURNING seq
      """, id(number), now, now, top)
    for role in 0..<4 { try insertPicture(role, of: meme, in: db) }
    return meme
  }

  func insertPicture(_ role: Int, of meme: Int64, in db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO pictures (meme, role, format, width, height, byte_count, digest, blob)
      VALUES (?, ?, 'png', ?, ?, ?, ?, ?)
      """, meme, role, picture.width, picture.height, picture.bytes.count, picture.digest,
      try insertBlob(in: db))
  }

  /// A UUID of version 7 with this number.
  func id(_ number: Int) -> [UInt8] {
    let time = withUnsafeBytes(of: UInt64(now).bigEndian) { Array($0.dropFirst(2)) }
    let tail = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0.dropFirst()) }
    return time + [0x70, 0, 0x80] + tail
  }

  private func insertBlob(in db: borrowing Connection) throws -> Int64 {
    try db.insert("INSERT INTO blobs (bytes) VALUES (?) RETURNING id", picture.bytes)
  }

  private func deleteMeme(_ db: borrowing Connection) throws {
    try db.run("UPDATE memes SET deleted_at = ? WHERE seq = 2", now)
  }

  private func insertRetry(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO retries (key, request, \(version < 9 ? "meme" : "made"), answer, answered_at)
      VALUES (zeroblob(32), zeroblob(32), ?, x'7b7d', ?)
      """, id(1), now)
  }

  private func chooseStyles(_ db: borrowing Connection) throws {
    try db.run(
      "UPDATE memes SET font = 'comic', letter_case = 'typed', align = 'right' WHERE seq = 3")
    guard version >= 7 else { return }
    try db.run(
      """
      UPDATE memes SET layout = 'bar', chosen_style = 'font,case,align', crop = '10,10,50,50', max_edge = 640
      WHERE seq = 3
      """)
  }

  private func insertDerived(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO derived_pictures (meme, width, format, height, byte_count, digest, blob, last_use)
      VALUES (1, ?, 'png', ?, ?, ?, ?, 1)
      """, picture.width, picture.height, picture.bytes.count, picture.digest,
      try insertBlob(in: db))
  }

  private func insertUpload(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO uploads (id, expires_at, format, width, height, byte_count, digest, blob)
      VALUES (?, ?, 'png', ?, ?, ?, ?, ?)
      """, id(20), now + 80_000_000, picture.width, picture.height, picture.bytes.count,
      picture.digest, try insertBlob(in: db))
  }

  private func insertTemplate(_ db: borrowing Connection) throws {
    try db.run(
      """
      INSERT INTO templates (
        id, created_at, name, alt_text, format, width, height, byte_count, digest, blob, thumbnail_format,
        thumbnail_width, thumbnail_height, thumbnail_byte_count, thumbnail_digest, thumbnail_blob
      ) VALUES (?1, ?2, 'cat', '', 'png', ?3, ?4, ?5, ?6, ?7, 'png', ?3, ?4, ?5, ?6, ?8)
      """, id(30), now, picture.width, picture.height, picture.bytes.count, picture.digest,
      try insertBlob(in: db), try insertBlob(in: db))
    try db.run("INSERT INTO deleted_templates VALUES (?)", id(31))
  }

  private func insertShare(_ db: borrowing Connection) throws {
    try db.run("INSERT INTO shares VALUES (1, 'link', 3)")
    try db.run("UPDATE memes SET share_count = 3 WHERE seq = 1")
  }
}
