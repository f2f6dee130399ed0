/// A part of the personal data of a user.
package enum ExportedThing: Sendable {
  case account(User, SecondFactor?)
  case settings(PersonalSettings)
  case sessions([Session], SessionLifetime)
  case people(Kind, [Username])
  /// Some of the memes that the user liked or added to the favorites. Parts count from 1, and there is at least one.
  case reactions(Reaction, [ReactedMeme], part: Int)
  /// Some of the user's comments, in parts like ``reactions(_:_:part:)``.
  case comments([Comment], part: Int)
  /// Some of the reports that the user sent to the admins, also in parts.
  case reports([OwnReport], part: Int)
  /// Some of the valid invitations that the user made, also in parts.
  case invitations([Invitation], part: Int)
  /// The valid access tokens, without their secrets.
  case tokens([AccessToken])
  /// The connections, without their secrets.
  case connections([Connection])
  /// The identities at providers of single sign-ons, and whether the account has a password.
  case identities([LinkedIdentity], hasPassword: Bool)
  /// The largest size of the avatar.
  case avatar(PictureFile)
  /// - Parameter boxed: the pictures in boxes, in their order.
  case meme(Meme, original: PictureFile, image: PictureFile, boxed: [PictureFile])
  case template(Template, PictureFile)

  /// The relation of other people to the user.
  package enum Kind: String, Sendable {
    case following, followers, blocks
  }
}
