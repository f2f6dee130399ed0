import Foundation
import Memes
import SQL
import Testing

@testable import Storage

struct RenamingTests {
  private static func day(_ day: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: day * 86_400_000)
  }

  private func rename(
    _ person: Author, to name: String, on day: Int64, in store: Scratch
  ) async throws -> User? {
    let change = ProfileChange(
      displayName: nil, biography: nil, email: nil, username: try Username(name))
    return try await UserStore(store.database)
      .change(change, of: person.id, if: nil, at: Self.day(day))
  }

  private func current(
    _ former: String, for viewer: Principal = .anonymous, on day: Int64, in store: Scratch
  ) async throws -> String? {
    try await RelationStore(store.database)
      .currentUsername(ofFormer: try Username(former), for: viewer, at: Self.day(day))?.text
  }

  @Test func `a username changes once in 30 days, and is reserved for as long`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let renamed = try #require(try await rename(ada, to: "lovelace", on: 100, in: store))
      #expect(renamed.username.text == "lovelace" && renamed.usernameChangedAt == Self.day(100))
      // The same name is no change.
      #expect(
        try await rename(ada, to: "lovelace", on: 101, in: store)?.usernameChangedAt
          == Self.day(100))
      for (day, name) in [(100, "byron"), (129, "byron"), (129, "ada"), (99, "byron")] {
        #expect(
          await failure { _ = try await rename(ada, to: name, on: Int64(day), in: store) }
            == "renamedRecently")
      }
      for name in ["ada", "lovelace"] {
        #expect(
          await failure { _ = try await rename(bob, to: name, on: 129, in: store) }
            == "usernameTaken", "\(name)")
      }
      #expect(try await current("ada", on: 129, in: store) == "lovelace")
      #expect(try await current("lovelace", on: 129, in: store) == nil)

      #expect(try await current("ada", on: 130, in: store) == nil)
      #expect(try await rename(bob, to: "ada", on: 130, in: store)?.username.text == "ada")
      #expect(try await current("bob", on: 130, in: store) == "ada")
      #expect(try await rename(ada, to: "byron", on: 130, in: store)?.username.text == "byron")
      #expect(try await current("ada", on: 130, in: store) == nil)
      #expect(try await current("lovelace", on: 130, in: store) == "byron")
      // Both had the name.
      #expect(try await rename(bob, to: "bob", on: 160, in: store)?.username.text == "bob")
      #expect(try await current("ada", on: 160, in: store) == "bob")
    }
  }

  @Test func `a former username is taken for a new account, and free when its account is deleted`()
    async throws
  {
    try await withStore { store in
      let users = UserStore(store.database)
      let ada = try await store.person("ada")
      _ = try await rename(ada, to: "lovelace", on: 100, in: store)
      func register(on day: Int64) async throws {
        let user = User(
          id: UserID(UUID()), username: try Username("ada"),
          email: try EmailAddress("eve@example.org"), displayName: nil, biography: nil,
          createdAt: Self.day(day), passwordChangedAt: Self.day(day))
        _ = try await users.insert(
          Account(user: user, password: HashedPassword("$eve")), recording: nil)
      }
      #expect(await failure { try await register(on: 129) } == "usernameTaken")
      #expect(try await users.delete(ada.id, if: nil, at: Self.day(101)))
      try await register(on: 102)
      #expect(try await current("ada", on: 102, in: store) == nil)
    }
  }

  @Test func `a former username leads to nothing for a blocked person, and finds no one`()
    async throws
  {
    try await withStore { store in
      let (ada, eve) = (try await store.person("ada"), try await store.person("eve"))
      let relations = RelationStore(store.database)
      try await relations.block(try Username("eve"), by: ada.id, at: Self.day(1))
      _ = try await rename(ada, to: "lovelace", on: 100, in: store)
      #expect(try await current("ada", for: .person(eve.id), on: 100, in: store) == nil)
      #expect(try await current("ada", for: .person(ada.id), on: 100, in: store) == "lovelace")
      for (text, names) in [
        ("ada", ["lovelace"]), ("love", ["lovelace"]), ("lovelace", ["lovelace"]),
      ] {
        let found = try await relations.people(
          matching: try PersonQuery(text), for: .anonymous, after: nil, limit: 10)
        // The display name is still "ada 🐈".
        #expect(found.items.map(\.user.username.text) == names, "\(text)")
      }
    }
  }

  @Test func `a renamed person's existing memes are changes again, in their order`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let viewer = Principal.person(ada.id)
      let (one, gone, two) = (
        try await store.make(by: ada), try await store.make(by: ada),
        try await store.make(.private, by: ada)
      )
      try await store.memes.delete(gone, if: .any, at: Self.day(1), restorable: true)
      try await store.edit(one, by: viewer)
      var (follower, newcomer) = (
        Follower(store: store, viewer: viewer, position: nil),
        Follower(store: store, viewer: viewer, position: nil)
      )
      let memes = try await follower.fetch()
      #expect(memes.map { $0.split(separator: " ")[1] } == ["\(two)", "\(one)"])
      for (name, day) in [("lovelace", 100), ("byron", 130)] {
        _ = try await rename(ada, to: name, on: Int64(day), in: store)
        try await follower.expect(memes)
        try await follower.expect([])
      }
      try await newcomer.expect(memes)
      let meme = try await store.memes.meme(one, for: viewer)
      #expect(meme.author?.username.text == "byron")
      let new = try await store.make(by: ada)
      let version = try await store.memes.meme(new, for: viewer).version
      try await follower.expect(["upsert \(new) \(version)"])
    }
  }
}
