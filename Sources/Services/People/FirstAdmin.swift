import Bytes
import Crypto
package import Memes
package import Storage

/// Invites the first admin of a server, who has no other way in than the command line.
package struct FirstAdmin: Sendable {
  private static let lifetimeMilliseconds: Int64 = 24 * 3_600_000

  private let store: InvitationStore
  private let digest: Digester
  private let now: @Sendable () -> Timestamp

  package init(
    store: InvitationStore, digest: @escaping Digester, now: @escaping @Sendable () -> Timestamp
  ) { (self.store, self.digest, self.now) = (store, digest, now) }

  /// Makes an invitation that creates one admin within 24 hours, and only while no admin exists. On return, it is
  /// durable.
  ///
  /// - Returns: the code; `nil` if an admin exists.
  package func invite() async throws -> String? {
    let time = now()
    let code = Invitations.newCode()
    let isNeeded = try await store.insertSetup(
      InvitationID.version7(at: time, random: Random.uuid()), code: digest(Bytes(code)), at: time,
      until: Timestamp(
        millisecondsSince1970: time.millisecondsSince1970 + Self.lifetimeMilliseconds))
    return isNeeded ? code : nil
  }
}
