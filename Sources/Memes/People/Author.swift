/// The author of a meme, template or comment.
package struct Author: Hashable, Sendable {
  package let id: UserID
  package let username: Username
  package let displayName: DisplayName?
  /// `nil` if the user has no avatar.
  package let avatar: AvatarVersion?

  package init(
    id: UserID, username: Username, displayName: DisplayName?, avatar: AvatarVersion? = nil
  ) {
    (self.id, self.username, self.displayName) = (id, username, displayName)
    self.avatar = avatar
  }
}
