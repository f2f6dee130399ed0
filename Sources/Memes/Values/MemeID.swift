package import Foundation

/// The ID of a meme. Clients may choose it.
package struct MemeID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
