/// A person as somebody else sees them.
package struct Profile: Sendable, Equatable {
  package let user: User
  package let counts: Counts
  /// What is between the viewer and the person.
  package let relation: Relation

  package init(user: User, counts: Counts, relation: Relation) {
    (self.user, self.counts, self.relation) = (user, counts, relation)
  }

  package struct Counts: Sendable, Equatable {
    /// Those that the viewer may see.
    package let memes: Int
    package let followers: Int
    package let following: Int

    package init(memes: Int, followers: Int, following: Int) {
      (self.memes, self.followers, self.following) = (memes, followers, following)
    }
  }

  package struct Relation: Sendable, Equatable {
    /// Whether the viewer follows the person.
    package let follows: Bool
    /// Whether the person follows the viewer.
    package let followedBy: Bool
    /// Whether the viewer blocks the person. Only the list of those whom one blocks shows such a person.
    package let blocks: Bool

    package init(follows: Bool, followedBy: Bool, blocks: Bool) {
      (self.follows, self.followedBy, self.blocks) = (follows, followedBy, blocks)
    }
  }
}

/// Which people a list has.
package enum Circle: Hashable, Sendable {
  case followers(of: Username)
  case following(by: Username)
  /// Those whom a person follows and who follow them, in the order in which the person began to.
  case friends(of: UserID)
  case blocked(by: UserID)
}
