package import Foundation

/// The ID of a meme. Clients may choose it.
package struct MemeID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The internal ID of an account. Clients identify an account by its username.
package struct UserID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The ID of a comment.
package struct CommentID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}

/// The ID of a backup, a UUID version 7.
package struct BackupID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
