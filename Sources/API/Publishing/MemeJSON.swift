import Bytes
import HTTP
import Memes

/// Writes memes as the contract defines them.
struct MemeJSON {
  /// The prefix of every URL: the path under which clients reach the server, without a trailing slash.
  let basePath: String

  /// Writes the complete meme as `viewer` sees it.
  ///
  /// - Parameters:
  ///   - getsToken: whether this response gives the viewer the meme's `deleteToken`.
  ///   - fields: the parts to write.
  func write(
    _ meme: Meme, for viewer: Principal, getsToken: Bool = false,
    _ fields: MemeFields = [.all, .viewer], to json: inout JSONWriter
  ) {
    // A viewer who receives the token has the permissions of an owner.
    let owned = viewer.owns(meme) || getsToken
    let place = Place(meme.id, version: meme.version)
    json.object { json in
      json.member("id", place.id)
      json.member("version", meme.version)
      json.member("createdAt", meme.createdAt.description)
      json.member("updatedAt", meme.updatedAt.description)
      if fields.contains(.author) { write(meme.author, to: &json) }
      if fields.contains(.visibility) { json.member("visibility", meme.visibility.rawValue) }
      write(meme.recipe, fields, to: &json)
      if fields.contains(.altText) { json.member("altText", meme.altText.text) }
      if fields.contains(.tags) { write(meme.tags, to: &json) }
      if fields.contains(.remixOf) { json.member("remixOf", meme.remixOf?.description) }
      if fields.contains(.image) {
        json.object("image") { write(meme.image, .image, at: place, to: &$0) }
      }
      if fields.contains(.original) {
        write(original: owned ? meme.original : nil, at: place, to: &json)
      }
      if fields.contains(.thumbnails) {
        json.object("thumbnails") { json in
          json.object("table") {
            write(meme.tableThumbnail.size, .tableThumbnail, at: place, to: &$0)
          }
          json.object("grid") {
            write(meme.gridThumbnail.size, .gridThumbnail, at: place, to: &$0)
          }
        }
      }
      if fields.contains(.fit) {
        json.array("fit") { json in
          for fit in meme.fit { write(fit, to: &json) }
        }
      }
      if fields.contains(.counts) { counts(meme.counts, to: &json) }
      guard fields.contains(.viewer) else { return }
      json.object("viewer") { json in
        json.member("liked", meme.isLiked)
        json.member("favorited", meme.isFavorited)
        json.member("canEdit", owned)
        json.member("canDelete", owned)
      }
    }
  }

  private func write(_ tags: [Tag], to json: inout JSONWriter) {
    json.array("tags") { json in
      for tag in tags { json.value(tag.text) }
    }
  }

  private func write(
    original: PictureFacts?, at place: Place, to json: inout JSONWriter
  ) {
    guard let original else { return json.null("original") }
    json.object("original") { json in
      write(original, .original, at: place, to: &json)
      json.member("sha256", original.digest.hexadecimal)
    }
  }

  /// Writes a row of a table.
  func write(_ row: TableRow, to json: inout JSONWriter) {
    let place = Place(row.id, version: row.version)
    json.object { json in
      json.member("id", place.id)
      json.member("top", row.top.text)
      json.member("bottom", row.bottom.text)
      json.member("title", row.title)
      json.member("altText", row.altText.text)
      write(row.author, to: &json)
      json.member("createdAt", row.createdAt.description)
      counts(row.counts, to: &json)
      json.object("thumbnail") { write(row.thumbnail, .tableThumbnail, at: place, to: &$0) }
    }
  }

  /// Writes a cell of a grid.
  func write(_ cell: GridCell, to json: inout JSONWriter) {
    let place = Place(cell.id, version: cell.version)
    json.object { json in
      json.member("id", place.id)
      json.member("altText", cell.altText.text)
      json.object("thumbnail") { write(cell.thumbnail, .gridThumbnail, at: place, to: &$0) }
    }
  }

  func write(_ author: Author?, to json: inout JSONWriter) {
    guard let author else { return json.null("author") }
    json.name("author")
    UserJSON(basePath: basePath).author(author, to: &json)
  }

  /// The URL of a meme.
  func url(of id: MemeID) -> String { "\(basePath)/memes/\(id)" }

  /// The ID of a meme as text, converted once for several URLs, and the version that the URLs refer to.
  private struct Place {
    let id: String
    let version: Int

    init(_ id: MemeID, version: Int) { (self.id, self.version) = (id.description, version) }
  }

  /// Writes the URL of a picture. Except for the original, it contains the version, so that clients can
  /// cache the picture forever.
  private func url(of role: PictureRole, at place: Place, to json: inout JSONWriter) {
    json.text("url") { json in
      json.piece(basePath)
      json.piece("/memes/")
      json.piece(place.id)
      json.piece(role.address)
      if role != .original { json.piece(place.version) }
    }
  }

  private func write(
    _ facts: PictureFacts, _ role: PictureRole, at place: Place, to json: inout JSONWriter
  ) {
    write(facts.size, role, at: place, to: &json)
    json.member("bytes", facts.byteCount)
    json.member("mediaType", facts.format.mediaType)
  }

  private func write(
    _ size: PixelSize, _ role: PictureRole, at place: Place, to json: inout JSONWriter
  ) {
    url(of: role, at: place, to: &json)
    json.member("width", size.width)
    json.member("height", size.height)
  }

  private func write(_ fit: CaptionFit, to json: inout JSONWriter) {
    json.object { json in
      json.member("position", fit.position.description)
      json.member("fontSize", (fit.fontSize * 100).rounded() / 100)
      json.member("lines", fit.lines)
      json.member("shrunk", fit.shrunk)
      json.member("truncated", fit.truncated)
      json.array("missingGlyphs") { json in
        for glyph in fit.missingGlyphs { json.value(glyph) }
      }
    }
  }

  private func counts(_ counts: MemeCounts, to json: inout JSONWriter) {
    json.object("counts") { json in
      json.member("likes", counts.likes)
      json.member("favorites", counts.favorites)
      json.member("comments", counts.comments)
      json.member("shares", counts.shares)
    }
  }
}

extension PictureRole {
  /// The part of the picture's URL between the meme's URL and the version. The original has no version.
  var address: String {
    switch self {
    case .original: "/original"
    case .image: "/image?v="
    case .tableThumbnail: "/thumbnail?view=table&v="
    case .gridThumbnail: "/thumbnail?view=grid&v="
    }
  }
}
