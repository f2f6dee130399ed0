package import Foundation

/// The internal ID of an account. Clients identify an account by its username.
package struct UserID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
