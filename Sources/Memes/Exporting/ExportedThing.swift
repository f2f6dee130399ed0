/// A part of everything that is a person's.
package enum ExportedThing: Sendable {
  case account(User)
  case settings(PersonalSettings)
  case sessions([Session], SessionLifetime)
  case people(Kind, [Username])
  /// Some of the memes that the person likes, or has among their favorites. Parts count from 1, and there is one at least.
  case marks(Mark, [MarkedMeme], part: Int)
  /// Some of the comments that the person wrote, in parts as ``marks(_:_:part:)``.
  case comments([Comment], part: Int)
  /// Some of what the person reported to the admins, in parts as well.
  case reports([OwnReport], part: Int)
  /// The largest of the pictures that are kept.
  case avatar(PictureFile)
  case meme(Meme, original: PictureFile, image: PictureFile)
  case template(Template, PictureFile)

  /// What other people are to the person.
  package enum Kind: String, Sendable {
    case following, followers, blocks
  }
}
