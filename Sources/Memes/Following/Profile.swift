/// A user as another user sees them.
package struct Profile: Sendable, Equatable {
  package let user: User
  package let counts: Counts
  /// The relation between the viewer and the user.
  package let relation: Relation
  /// In a list of people, when each of them got there: the time of the like or the follow; otherwise `nil`.
  package let listedAt: Timestamp?

  package init(user: User, counts: Counts, relation: Relation, listedAt: Timestamp? = nil) {
    (self.user, self.counts, self.relation) = (user, counts, relation)
    self.listedAt = listedAt
  }

  package struct Counts: Sendable, Equatable {
    /// The number of memes that the viewer may see.
    package let memes: Int
    package let followers: Int
    package let following: Int

    package init(memes: Int, followers: Int, following: Int) {
      (self.memes, self.followers, self.following) = (memes, followers, following)
    }
  }

  package struct Relation: Sendable, Equatable {
    /// Whether the viewer follows the user.
    package let follows: Bool
    /// Whether the user follows the viewer.
    package let followedBy: Bool
    /// Whether the viewer blocks the user. `true` only in the viewer's list of blocked users.
    package let blocks: Bool

    package init(follows: Bool, followedBy: Bool, blocks: Bool) {
      (self.follows, self.followedBy, self.blocks) = (follows, followedBy, blocks)
    }
  }
}

/// The people in a list.
package enum UserList: Hashable, Sendable {
  case followers(of: Username)
  case following(by: Username)
  /// The users who follow a user and whom the user follows, in the order in which the user began to follow them.
  case friends(of: UserID)
  case blocked(by: UserID)
}
