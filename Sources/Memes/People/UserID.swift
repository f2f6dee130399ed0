package import Foundation

/// Names one person's account, for this server alone: others know it by its username.
package struct UserID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
