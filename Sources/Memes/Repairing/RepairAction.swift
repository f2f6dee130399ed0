/// How something that is damaged is made whole again. In the order in which it is done: what follows may need what was mended before.
package enum Mending: Hashable, Sendable {
  /// Rows of a table that refer to nothing go, or forget to whom they referred.
  case references(table: String)
  /// The row of a meme's picture is written anew by the picture, whose bytes are those that were stored.
  case facts(PictureRole, meme: Int64)
  /// A meme's picture is made of its original, or of its image.
  case picture(PictureRole, meme: Int64)
  /// A picture that was made of a meme's image goes, and is made again when somebody asks for it.
  case derived(width: Int, format: OutputFormat, meme: Int64)
  /// A template's thumbnail is made of its picture.
  case thumbnail(template: Int64)
  /// A person's smaller picture is made of the largest.
  case avatar(AvatarSize, person: Int64)
  /// An upload that was not finished goes; its client begins anew.
  case unfinishedUpload(Int64)
  /// Bytes that belong to nothing go.
  case blob(Int64)
  /// A number that is kept is counted anew.
  case count(table: String, column: String)
  /// What clients are told of changes is written by what there is.
  case changes

  /// What is done, for a line of a check.
  var hint: String {
    switch self {
    case .references: "rows that refer to nothing are removed"
    case .facts: "its row is written by the picture"
    case .picture(.image, _): "drawn anew from the original"
    case .picture: "made anew of the original or the image"
    case .derived: "removed, and made again when it is asked for"
    case .thumbnail: "made anew of the template's picture"
    case .avatar: "made anew of the largest"
    case .unfinishedUpload, .blob: "removed"
    case .count: "counted anew"
    case .changes: "written anew by the memes that there are"
    }
  }

  /// Of the order in which things are mended.
  var turn: Int {
    switch self {
    case .references: 0
    case .facts: 1
    case .picture, .derived, .thumbnail, .avatar, .unfinishedUpload: 2
    case .blob: 3
    case .count: 4
    case .changes: 5
    }
  }
}
