import Foundation
import Memes
import SQLite

/// Selects a meme and the facts of its files in one row, without reading their bytes.
///
/// Each file is found by the primary key of `pictures`, so the cost of a row does not depend on the number of memes.
func selectMeme(_ policy: AccessPolicy) -> String {
  "SELECT memes.seq, \(memeColumns(policy)) FROM memes \(memeParts)"
}

/// The columns that ``Meme/init(_:)`` decodes after the position in a list, from `memes` and ``memeParts``.
func memeColumns(_ policy: AccessPolicy) -> String {
  """
    memes.id, memes.version, memes.created_at, memes.updated_at,
    memes.top, memes.bottom, memes.alt_text,
    memes.fill, memes.outline, memes.outline_width, memes.size,
    memes.font, memes.letter_case, memes.align, memes.fit,
    memes.layout, memes.captions, memes.crop, memes.max_edge,
    a.format, a.width, a.height, a.byte_count, a.digest,
    b.format, b.width, b.height, b.byte_count, b.digest,
    c.format, c.width, c.height, c.byte_count, c.digest,
    d.format, d.width, d.height, d.byte_count, d.digest,
    memes.chosen_style, memes.visibility,
    author.id, author.username, author.display_name, author.avatar,
    \(countColumns(policy)), \(Reaction.allCases.map { policy.has($0) }.joined(separator: ", ")),
    memes.is_private_only
  """
}

/// The columns that ``MemeCounts/init(_:at:)`` decodes, from `memes`.
func countColumns(_ policy: AccessPolicy) -> String {
  let likes = policy.count(
    "memes.like_count", of: "likes", where: "likes.meme = memes.seq", by: "likes.user")
  let comments = policy.count(
    "memes.comment_count", of: "comments",
    where: "comments.meme = memes.seq", counting: "comments.deleted_at IS NULL",
    by: "comments.user")
  return "\(likes), memes.favorite_count, \(comments), memes.share_count"
}

/// Joins the four files and the author of a meme.
let memeParts = """
  CROSS JOIN pictures AS a ON a.meme = memes.seq AND a.role = 0
  CROSS JOIN pictures AS b ON b.meme = memes.seq AND b.role = 1
  CROSS JOIN pictures AS c ON c.meme = memes.seq AND c.role = 2
  CROSS JOIN pictures AS d ON d.meme = memes.seq AND d.role = 3
  \(memeAuthor)
  """

/// Joins the author of a meme. Costs nothing if the meme has no author.
let memeAuthor = "LEFT JOIN users AS author ON author.seq = memes.author"

extension Meme {
  /// Decodes a row of ``memeColumns``.
  init(_ row: borrowing Row) throws {
    self.init(
      id: try row.memeID(at: 1), author: try row.author(at: 42),
      visibility: try row.visibility(at: 41), version: try row[2],
      createdAt: try row.timestamp(at: 3),
      updatedAt: try row.timestamp(at: 4),
      recipe: try Recipe(row), altText: AltText(stored: try row[7]),
      original: try PictureFacts(row, at: 20), image: try PictureFacts(row, at: 25),
      tableThumbnail: try PictureFacts(row, at: 30), gridThumbnail: try PictureFacts(row, at: 35),
      fit: try StoredFitReader.read(try row[15]), counts: try MemeCounts(row, at: 46),
      isLiked: try row[50], isFavorited: try row[51], isPrivateOnly: try row[52])
  }
}

extension MemeCounts {
  /// Decodes ``countColumns(_:)`` from four columns, beginning at `column`.
  init(_ row: borrowing Row, at column: Int) throws {
    self.init(
      likes: try row[column], favorites: try row[column + 1], comments: try row[column + 2],
      shares: try row[column + 3])
  }
}

extension Recipe {
  /// Decodes a row of ``memeColumns``.
  init(_ row: borrowing Row) throws {
    self.init()
    (top, bottom) = (CaptionText(stored: try row[5]), CaptionText(stored: try row[6]))
    choices = StyleChoices(try CaptionStyle(row, at: 8), chosen: try row[40])
    guard let layout = CaptionLayout(rawValue: try row[16]) else {
      throw SQLiteError(.mismatch, "A layout is stored that is unknown.")
    }
    self.layout = layout
    captions = try StoredCaption.decode(try row[17])
    crop = try (try row[18] as String?).map { text in try Crop(stored: text) }
    maxEdge = try (try row[19] as Int?).map { pixels in
      try MaxEdge(stored: pixels)
    }
  }
}

extension Crop {
  fileprivate init(stored text: String) throws {
    do throws(InvalidValue) { try self.init(text) } catch {
      throw SQLiteError(.mismatch, "A crop is stored that is none.")
    }
  }
}

extension MaxEdge {
  fileprivate init(stored pixels: Int) throws {
    do throws(InvalidValue) { try self.init(pixels: pixels) } catch {
      throw SQLiteError(.mismatch, "A longest edge is stored that is none.")
    }
  }
}

extension CaptionStyle {
  /// Decodes fill, outline, outline width, size, font, case and alignment from seven columns, beginning at `column`.
  init(_ row: borrowing Row, at column: Int) throws {
    self.init(fill: try row.colour(at: column), outline: try row.colour(at: column + 1))
    outlineWidth = try row[column + 2]
    size = try row[column + 3]
    font = FontID(stored: try row[column + 4])
    guard let letterCase = LetterCase(rawValue: try row[column + 5]),
      let align = Alignment(rawValue: try row[column + 6])
    else { throw SQLiteError(.mismatch, "A style is stored with a word that is unknown.") }
    (self.letterCase, self.align) = (letterCase, align)
  }
}

extension PictureFacts {
  /// Decodes format, width, height, byte count and digest from five columns, beginning at `column`.
  init(_ row: borrowing Row, at column: Int) throws {
    guard let format = PictureFormat(rawValue: try row[column]) else {
      throw SQLiteError(.mismatch, "A picture is stored with an unknown format.")
    }
    self.init(
      size: try PixelSize(row, at: column + 1), format: format, byteCount: try row[column + 3],
      digest: try row.digest(at: column + 4))
  }
}

extension PixelSize {
  /// Decodes width and height from two columns, beginning at `column`.
  init(_ row: borrowing Row, at column: Int) throws {
    self.init(width: try row[column], height: try row[column + 1])
  }
}

extension Row {
  func digest(at column: Int) throws -> Digest {
    guard let digest = try withBytes(at: column, { Digest($0) }) else {
      throw SQLiteError(.mismatch, "A digest is stored that does not have 32 bytes.")
    }
    return digest
  }

  func memeID(at column: Int) throws -> MemeID { MemeID(try uuid(at: column)) }

  /// Returns `nil` if the column is NULL.
  func userID(at column: Int) throws -> UserID? {
    try isNull(at: column) ? nil : UserID(try uuid(at: column))
  }

  func uuid(at column: Int) throws -> UUID {
    let id = try withBytes(at: column) { bytes in
      bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }
    guard let id else {
      throw SQLiteError(.mismatch, "An id is stored that does not have 16 bytes.")
    }
    return id
  }

  func timestamp(at column: Int) throws -> Timestamp {
    Timestamp(millisecondsSince1970: try self[column])
  }

  func colour(at column: Int) throws -> Color {
    Color(rgb: try self[column])
  }
}

extension Identifier {
  var bytes: [UInt8] { uuid.bytes }
}

extension UUID {
  /// The 16 bytes, in the order of the text form.
  var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

extension Color {
  /// 0xRRGGBB.
  var rgb: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }

  fileprivate init(rgb: Int) {
    self.init(
      red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
      blue: UInt8(truncatingIfNeeded: rgb))
  }
}
