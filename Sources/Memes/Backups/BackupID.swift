package import Foundation

/// Names one backup: a UUID of version 7.
package struct BackupID: Identifier {
  package let uuid: UUID

  package init(_ uuid: UUID) { self.uuid = uuid }
}
