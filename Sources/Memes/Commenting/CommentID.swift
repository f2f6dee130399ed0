package import Foundation

/// Names one comment.
package struct CommentID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
