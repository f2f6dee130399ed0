import Foundation
import Memes
import SQL
import Testing

@testable import Storage

struct IdentityStoreTests {
  private static let issuer = "https://login.example"

  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  private static func identity(_ subject: String, of issuer: String = issuer) -> ProviderIdentity {
    ProviderIdentity(issuer: issuer, subject: subject)
  }

  /// A new account with an identity.
  private static func insert(
    _ store: Scratch, _ subject: String, at milliseconds: Int64 = 1
  ) async throws -> Account {
    let user = User(
      id: UserID(UUID()), username: try Username("new"),
      email: try EmailAddress("\(subject)@example.org"), displayName: nil, biography: nil,
      createdAt: time(milliseconds), passwordChangedAt: time(milliseconds))
    return try await IdentityStore(store.database).insert(
      Account(user: user, password: .unusable), IdentityID(UUID()), identity(subject),
      usernames: [Username("new"), Username("new2")], invitation: nil)
  }

  @Test func `an identity belongs to one account, and its use is recorded`() async throws {
    try await withStore { store in
      let identities = IdentityStore(store.database)
      #expect(try await identities.use(Self.identity("one"), at: Self.time(1)) == nil)
      let first = try await Self.insert(store, "one")
      #expect(first.user.username.text == "new" && !first.password.isUsable)
      // Another request was first.
      #expect(try await Self.insert(store, "one").user.id == first.user.id)
      #expect(try await Self.insert(store, "two").user.username.text == "new2")
      #expect(await failure { _ = try await Self.insert(store, "three") } == "usernameTaken")
      let other = Self.identity("one", of: "https://other.example")
      #expect(try await identities.use(other, at: Self.time(2)) == nil)
      let used = try await identities.use(Self.identity("one"), at: Self.time(7))
      #expect(used?.user.id == first.user.id)
      let (all, hasPassword) = try await identities.identities(of: first.user.id)
      #expect(all.map(\.identity) == [Self.identity("one")] && !hasPassword)
      #expect(all.map(\.createdAt) == [Self.time(1)] && all.map(\.lastUsedAt) == [Self.time(7)])
    }
  }

  @Test func `the last way to sign in stays`() async throws {
    try await withStore { store in
      let identities = IdentityStore(store.database)
      let user = try await Self.insert(store, "one").user.id
      let id = try #require(try await identities.identities(of: user).identities.first?.id)
      func delete(_ issuer: String?) async -> String {
        await failure { try await identities.delete(id, of: user, signingInBy: issuer) }
      }
      #expect(await delete(Self.issuer) == "lastWayToSignIn")
      #expect(await delete(nil) == "lastWayToSignIn")
      let bob = try await store.person("bob").id
      #expect(
        await failure { try await identities.delete(id, of: bob, signingInBy: nil) } == "notFound")
      // An identity of a former provider is no way to sign in.
      try await store.database.writer.transaction { db in
        try db.run(
          """
          INSERT INTO identities (id, user_id, issuer, subject, created_at, last_used_at)
          SELECT ?, user_id, 'https://former.example', 'x', 0, 0 FROM identities
          """, IdentityID(UUID()).bytes)
      }
      #expect(await delete(Self.issuer) == "lastWayToSignIn")
      try await store.database.writer.transaction { db in
        try db.run("UPDATE users SET password = '$x' WHERE id = ?", user.bytes)
      }
      try await identities.delete(id, of: user, signingInBy: Self.issuer)
      #expect(await delete(Self.issuer) == "notFound")
    }
  }

  @Test func `of two admins who lose the role at the same moment, one keeps it`() async throws {
    try await withStore { store in
      let identities = IdentityStore(store.database)
      let users = [
        try await Self.insert(store, "one").user, try await Self.insert(store, "two").user,
      ]
      for user in users {
        #expect(try await identities.give(.admin, to: user, request: "r", at: Self.time(2)))
      }
      let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
        for user in users {
          group.addTask {
            try await identities.give(.member, to: user, request: "r", at: Self.time(3))
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(kept.filter { !$0 }.count == 1)
      let admins: Int? = try await store.database.readers.read { db in
        try db.value("SELECT count(*) FROM users WHERE role = 1")
      }
      #expect(admins == 1)
    }
  }
}
