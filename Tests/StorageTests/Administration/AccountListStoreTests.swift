import Foundation
import Memes
import SQL
import Testing

@testable import Storage

struct AccountListStoreTests {
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  private static func account(_ name: String, _ email: String, _ role: Role) throws -> Account {
    let user = User(
      id: UserID(UUID()), username: try Username(name), email: try EmailAddress(email),
      displayName: nil, biography: nil, createdAt: time(10), passwordChangedAt: time(10),
      role: role)
    return Account(
      user: user, password: HashedPassword("$\(name)"),
      accountStatus: AccountStatus(role: role, isSuspended: false))
  }

  @Test func `a part of a name or an email finds an account, in any case and without patterns`()
    async throws
  {
    try await withStore { store in
      let (users, list) = (UserStore(store.database), AccountListStore(store.database.readers))
      for (name, email, role) in [
        ("ada", "Ada@Example.org", Role.admin), ("b_b", "b!b@example.org", .member),
        ("bob", "100%@example.net", .member),
      ] {
        _ = try await users.insert(try Self.account(name, email, role), recording: nil)
      }
      try await AccountStatusStore(store.database)
        .suspend(try Username("bob"), because: nil, by: .command, at: Self.time(20))
      func found(
        _ part: String?, _ status: AccountFilter.Status? = nil, _ role: Role? = nil,
        after position: ListPosition? = nil, limit: Int = 10
      ) async throws -> (names: [String], next: ListPosition?) {
        let filter = AccountFilter(part: try part.map(AccountPart.init), status: status, role: role)
        let page = try await list.accounts(filter, after: position, limit: limit)
        return (page.items.map(\.user.username.text), page.next)
      }
      let expected: [(part: String?, names: [String])] = [
        (nil, ["bob", "b_b", "ada"]), ("B", ["bob", "b_b"]), ("_", ["b_b"]), ("%", ["bob"]),
        ("!", ["b_b"]), ("EXAMPLE.ORG", ["b_b", "ada"]), ("zoe", []), ("\\", []), ("'", []),
      ]
      for (part, names) in expected {
        #expect(try await found(part).names == names, "\(part ?? "")")
      }
      #expect(try await found(nil, .suspended).names == ["bob"])
      #expect(try await found("b", .active).names == ["b_b"])
      #expect(try await found(nil, nil, .admin).names == ["ada"])
      #expect(try await found(nil, .active, .member).names == ["b_b"])
      let first = try await found("example.", limit: 2)
      #expect(first.names == ["bob", "b_b"])
      let rest = try await found("example.", after: first.next, limit: 2)
      #expect(rest.names == ["ada"] && rest.next == nil)
      #expect(try await list.account(try Username("bob")).suspendedAt == Self.time(20))
      #expect(await failure { _ = try await list.account(try Username("zoe")) } == "notFound")
      #expect(throws: InvalidValue.self) { try AccountPart("a\0") }
    }
  }

  @Test func `a link of an admin replaces earlier resets, together with its audit entry`()
    async throws
  {
    try await withStore { store in
      let (users, resets) = (UserStore(store.database), PasswordResetStore(store.database))
      let account = try Self.account("ada", "ada@example.org", .member)
      _ = try await users.insert(account, recording: nil)
      let (old, new) = (try digest(1), try digest(2))
      _ = try await resets.insert(
        token: old, for: account.user.email, at: Self.time(20), after: Self.time(0), most: 3)
      func entry(_ authority: Authority, _ name: String) -> AuditEntry {
        AuditEntry(at: Self.time(30), authority, .resetPassword, name)
      }
      // The actor is no longer an admin, so nothing changes.
      let former = try #require(Authority(.administrator(account.user.id), request: "r"))
      let name = account.user.username
      #expect(
        await failure {
          try await resets.replace(of: name, token: new, recording: entry(former, "ada"))
        } == "forbidden")
      #expect(try await resets.user(resetting: old, after: Self.time(0)) != nil)
      try await resets.replace(of: name, token: new, recording: entry(.command, "ada"))
      #expect(try await resets.user(resetting: old, after: Self.time(0)) == nil)
      #expect(try await resets.user(resetting: new, after: Self.time(29))?.username == name)
      #expect(try await resets.user(resetting: new, after: Self.time(30)) == nil)
      let zoe = try Username("zoe")
      #expect(
        await failure {
          try await resets.replace(of: zoe, token: old, recording: entry(.command, "zoe"))
        } == "notFound")
      let log = try await AuditLog(store.database.readers).entries(after: nil, limit: 10)
      #expect(log.items.map(\.act) == ["reset-password"])
    }
  }

  @Test func `an admin's deletion of an account is recorded, or does not happen`() async throws {
    try await withStore { store in
      let users = UserStore(store.database)
      let account = try Self.account("ada", "ada@example.org", .member)
      _ = try await users.insert(account, recording: nil)
      let id = account.user.id
      func delete(by authority: Authority) async throws -> Bool {
        let entry = AuditEntry(at: Self.time(30), authority, .deletePerson, "ada")
        let removed = try await users.withdraw(
          id, if: nil, atMost: 5, at: entry.at, by: authority, recording: entry)
        #expect(removed == 0)
        return try await users.delete(id, if: nil, at: entry.at, by: authority)
      }
      let former = try #require(Authority(.administrator(UserID(UUID())), request: "r"))
      #expect(await failure { _ = try await delete(by: former) } == "forbidden")
      #expect(try await users.account(id) != nil)
      #expect(try await delete(by: .command))
      #expect(try await users.account(id) == nil)
      #expect(try await !delete(by: .command))
      let log = try await AuditLog(store.database.readers).entries(after: nil, limit: 10)
      #expect(log.items.map(\.act) == ["delete-person"])
    }
  }
}
