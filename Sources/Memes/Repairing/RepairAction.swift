/// A repair of damaged data. The cases are in the order of execution, because later repairs may depend on earlier ones.
package enum RepairAction: Hashable, Sendable {
  /// Deletes rows of a table that refer to missing rows, or clears the references.
  case references(table: String)
  /// Corrects the row of a meme's picture. The picture itself is intact.
  case facts(PictureNumber, meme: Int64)
  /// Deletes a picture whose box its meme does not have.
  case surplus(PictureNumber, meme: Int64)
  /// Redraws a meme's picture from its original or its image.
  case picture(PictureRole, meme: Int64)
  /// Deletes a rendition; it is made again on the next request.
  case derived(width: Int, format: OutputFormat, meme: Int64)
  /// Makes a template's thumbnail from its picture.
  case thumbnail(template: Int64)
  /// Makes a smaller avatar from the largest one.
  case avatar(AvatarSize, person: Int64)
  /// Deletes an unfinished upload; the client must begin again.
  case unfinishedUpload(Int64)
  /// Deletes bytes that belong to nothing.
  case blob(Int64)
  /// Recomputes a stored counter.
  case count(table: String, column: String)
  /// Rewrites the changes that clients sync, from the current data.
  case changes
  /// Rewrites the tags by which memes are found, from the memes.
  case tags

  /// A short description, for the output of a check.
  var hint: String {
    switch self {
    case .references: "remove rows with dangling references"
    case .facts: "update the row from the picture"
    case .surplus, .unfinishedUpload, .blob: "remove"
    case .picture(.image, _): "render again from the original"
    case .picture: "regenerate from the original or the image"
    case .derived: "remove; regenerated on request"
    case .thumbnail: "regenerate from the template's picture"
    case .avatar: "regenerate from the largest size"
    case .count: "recount"
    case .changes, .tags: "rewrite from the existing memes"
    }
  }

  /// The position in the order of execution.
  package var turn: Int {
    switch self {
    case .references: 0
    case .facts, .surplus: 1
    case .picture, .derived, .thumbnail, .avatar, .unfinishedUpload: 2
    case .blob: 3
    case .count: 4
    case .changes, .tags: 5
    }
  }
}
