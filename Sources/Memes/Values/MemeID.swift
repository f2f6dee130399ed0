package import Foundation

/// Names one meme. A client may bring its own.
package struct MemeID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
