package import Foundation

/// The ID of a backup, a UUID version 7.
package struct BackupID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
