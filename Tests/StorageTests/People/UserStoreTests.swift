import Foundation
import Memes
import SQL
import SQLite
import Storage
import Testing

struct UserStoreTests {
  @Test func `an email finds its account in any case, and is taken in any case`() async throws {
    try await withStore { store in
      let users = UserStore(store.database)
      let ada = try await store.person("ada")
      let found = try await users.account(.email(EmailAddress("ADA@Example.org")))
      #expect(found?.user.id == ada.id)
      let user = User(
        id: UserID(UUID()), username: try Username("bob"),
        email: try EmailAddress("Ada@Example.ORG"),
        displayName: nil, biography: nil, createdAt: Timestamp(millisecondsSince1970: 0),
        passwordChangedAt: Timestamp(millisecondsSince1970: 0))
      #expect(
        await failure {
          _ = try await users.insert(
            Account(user: user, password: HashedPassword("$bob")), recording: nil)
        } == "emailTaken")
    }
  }

  @Test func `a stored profile stays readable even if it is no longer valid`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      // Longer than the limits: one character today may be two in another version of Unicode.
      let (name, about) = (String(repeating: "e", count: 51), String(repeating: "e", count: 501))
      try await store.database.writer.transaction { db in
        try db.run("UPDATE users SET display_name = ?, bio = ?", name, about)
      }
      let users = UserStore(store.database)
      let account = try #require(try await users.account(ada.id))
      #expect(account.user.displayName?.text == name)
      #expect(account.user.biography?.text == about)
    }
  }
}
