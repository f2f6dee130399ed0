import Foundation
import Memes
import SQL

/// Selects a meme and the facts of its files in one row, without reading their bytes.
///
/// Each file is found by the primary key of `pictures`, so the cost of a row does not depend on the number of memes.
func selectMeme(_ policy: AccessPolicy) -> String {
  "SELECT \(memeColumns(policy)) FROM memes \(memeParts)"
}

/// The columns that ``Meme/init(_:)`` decodes, from `memes` and ``memeParts``.
func memeColumns(_ policy: AccessPolicy) -> String {
  """
    memes.id,
    author.id, author.username, author.display_name, author.avatar,
    memes.visibility, memes.version, memes.created_at, memes.updated_at,
    \(recipeColumns), memes.alt_text,
    a.format, a.width, a.height, a.byte_count, a.digest,
    b.format, b.width, b.height, b.byte_count, b.digest,
    c.format, c.width, c.height, c.byte_count, c.digest,
    d.format, d.width, d.height, d.byte_count, d.digest,
    memes.fit,
    \(countColumns(policy)), \(Reaction.allCases.map { policy.has($0) }.joined(separator: ", ")),
    memes.is_private_only, memes.tags, memes.remix_of, \(policy.seesSource)
  """
}

/// The columns that ``Recipe/init(_:)`` decodes, from `memes`.
let recipeColumns = """
  memes.top, memes.bottom,
  memes.fill, memes.outline, memes.outline_width, memes.size,
  memes.font, memes.letter_case, memes.align, memes.chosen_style,
  memes.layout, memes.captions, memes.crop, memes.max_edge, memes.pictures, memes.same_size
  """

/// The columns that ``MemeCounts/init(_:)`` decodes, from `memes`.
func countColumns(_ policy: AccessPolicy) -> String {
  let likes = policy.count(
    "memes.like_count", of: "likes", where: "likes.meme = memes.seq", by: "likes.user")
  let comments = policy.count(
    "memes.comment_count", of: "comments",
    where: "comments.meme = memes.seq", counting: "comments.deleted_at IS NULL",
    by: "comments.user", isOfComments: true)
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
  /// Decodes ``memeColumns(_:)``.
  init(_ row: inout Row) throws {
    var meme = Meme(
      id: try row.nextMemeID(),
      author: try row.nextAuthor(),
      visibility: try row.nextVisibility(), version: try row.next(),
      createdAt: try row.nextTimestamp(), updatedAt: try row.nextTimestamp(),
      recipe: try Recipe(&row), altText: AltText(stored: try row.next()),
      original: try PictureFacts(&row),
      image: try PictureFacts(&row),
      tableThumbnail: try PictureFacts(&row),
      gridThumbnail: try PictureFacts(&row),
      fit: try StoredFitReader.read(try row.next()),
      counts: try MemeCounts(&row), isLiked: try row.next(), isFavorited: try row.next(),
      isPrivateOnly: try row.next())
    meme.tags = try StoredTags.decode(try row.next())
    (meme.source, meme.seesSource) = (try row.nextOptionalMemeID(), try row.next())
    self = meme
  }
}

extension MemeCounts {
  /// Decodes ``countColumns(_:)``.
  init(_ row: inout Row) throws {
    self.init(
      likes: try row.next(), favorites: try row.next(), comments: try row.next(),
      shares: try row.next())
  }
}

extension Recipe {
  /// Decodes ``recipeColumns``.
  init(_ row: inout Row) throws {
    self.init()
    (top, bottom) = (CaptionText(stored: try row.next()), CaptionText(stored: try row.next()))
    let (style, chosen) = (try CaptionStyle(&row), try row.next() as String?)
    guard let layout = CaptionLayout(rawValue: try row.next()) else {
      throw DatabaseError(.mismatch, "Unknown layout in the database.")
    }
    self.layout = layout
    choices = StyleChoices(style, chosen: chosen, over: .standard(for: layout))
    captions = try StoredCaption.decode(try row.next())
    crop = try (try row.next() as String?).map { text in try Crop(stored: text) }
    maxEdge = try (try row.next() as Int?).map { pixels in
      try MaxEdge(stored: pixels)
    }
    pictures = try StoredPictureBox.decode(try row.next())
    sameSize = try row.next()
  }
}

extension Crop {
  fileprivate init(stored text: String) throws {
    do throws(InvalidValue) { try self.init(text) } catch {
      throw DatabaseError(.mismatch, "Invalid crop in the database.")
    }
  }
}

extension MaxEdge {
  fileprivate init(stored pixels: Int) throws {
    do throws(InvalidValue) { try self.init(pixels: pixels) } catch {
      throw DatabaseError(.mismatch, "Invalid maximum edge in the database.")
    }
  }
}

extension CaptionStyle {
  /// Decodes fill, outline, outline width, size, font, case and alignment.
  init(_ row: inout Row) throws {
    self.init(fill: try row.nextColor(), outline: try row.nextColor())
    outlineWidth = try row.next()
    size = try row.next()
    font = FontID(stored: try row.next())
    guard let letterCase = LetterCase(rawValue: try row.next()),
      let align = Alignment(rawValue: try row.next())
    else { throw DatabaseError(.mismatch, "Unknown style in the database.") }
    (self.letterCase, self.align) = (letterCase, align)
  }
}

extension PictureFacts {
  /// Decodes format, width, height, byte count and digest.
  init(_ row: inout Row) throws {
    guard let format = PictureFormat(rawValue: try row.next()) else {
      throw DatabaseError(.mismatch, "Unknown picture format in the database.")
    }
    self.init(
      size: try PixelSize(&row), format: format, byteCount: try row.next(),
      digest: try row.nextDigest())
  }
}

extension PixelSize {
  /// Decodes width and height.
  init(_ row: inout Row) throws {
    self.init(width: try row.next(), height: try row.next())
  }
}

extension Row {
  mutating func nextDigest() throws -> Digest {
    guard let digest = try nextBytes({ Digest($0) }) else {
      throw DatabaseError(.mismatch, "Invalid digest in the database: not 32 bytes.")
    }
    return digest
  }

  mutating func nextMemeID() throws -> MemeID { MemeID(try nextUUID()) }

  /// Returns `nil` if the column is NULL.
  mutating func nextOptionalMemeID() throws -> MemeID? {
    guard try !isNextNull else {
      try skip(1)
      return nil
    }
    return try nextMemeID()
  }

  /// Returns `nil` if the column is NULL.
  mutating func nextUserID() throws -> UserID? {
    guard try !isNextNull else {
      try skip(1)
      return nil
    }
    return UserID(try nextUUID())
  }

  mutating func nextUUID() throws -> UUID {
    let id = try nextBytes { bytes in
      bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }
    guard let id else {
      throw DatabaseError(.mismatch, "Invalid ID in the database: not 16 bytes.")
    }
    return id
  }

  mutating func nextTimestamp() throws -> Timestamp {
    Timestamp(millisecondsSince1970: try next())
  }

  /// Returns `nil` if the column is NULL.
  mutating func nextOptionalTimestamp() throws -> Timestamp? {
    (try next() as Int64?).map(Timestamp.init(millisecondsSince1970:))
  }

  mutating func nextColor() throws -> Color { Color(rgb: try next()) }

  /// Returns `nil` if the column is NULL.
  mutating func nextOptionalColor() throws -> Color? { (try next() as Int?).map(Color.init(rgb:)) }
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
