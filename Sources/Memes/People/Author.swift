/// A person as what they made tells of them.
package struct Author: Hashable, Sendable {
  package let id: UserID
  package let username: Username
  package let displayName: DisplayName?

  package init(id: UserID, username: Username, displayName: DisplayName?) {
    (self.id, self.username, self.displayName) = (id, username, displayName)
  }
}
