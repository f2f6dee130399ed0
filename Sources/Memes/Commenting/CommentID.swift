package import Foundation

/// The ID of a comment.
package struct CommentID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
