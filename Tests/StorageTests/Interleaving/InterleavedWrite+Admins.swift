import Foundation
import Memes
import SQL

@testable import Storage

/// Two admins act on each other. The second one is no longer an admin by then.
extension InterleavedWrite {
  private static func act(
    _ name: String, byChief: Bool,
    _ body:
      @escaping @Sendable (
        any Database, _ target: Author, _ authority: Authority
      ) async throws -> Void
  ) -> InterleavedWrite {
    InterleavedWrite(byChief ? "\(name) back" : name) { database, scene in
      let (actor, target) = byChief ? (scene.chief, scene.root) : (scene.root, scene.chief)
      guard let authority = Authority(.administrator(actor.id), request: "x") else {
        throw MemeError.forbidden
      }
      try await body(database, target, authority)
    }
  }

  static func demote(byChief: Bool) -> InterleavedWrite {
    act("demote", byChief: byChief) { database, target, authority in
      try await AccountStatusStore(database).change(
        AccountChange(role: .member), of: target.username, by: authority, at: time)
    }
  }

  static func suspendAdmin(byChief: Bool) -> InterleavedWrite {
    act("suspend an admin", byChief: byChief) { database, target, authority in
      try await AccountStatusStore(database).suspend(
        target.username, because: nil, by: authority, at: time)
    }
  }

  static func deleteAdmin(byChief: Bool) -> InterleavedWrite {
    act("delete an admin", byChief: byChief) { database, target, authority in
      guard try await UserStore(database).delete(target.id, if: nil, at: time, by: authority)
      else { throw MemeError.notFound }
    }
  }
}
