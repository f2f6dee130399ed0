import Foundation
import Memes
import SQL
import Testing

@testable import Storage

struct AccessTokenStoreTests {
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  /// - Parameter end: in milliseconds.
  private static func token(
    of person: UserID, _ scopes: Set<TokenScope> = [.read], until end: Int64? = nil
  ) throws -> AccessToken {
    AccessToken(
      id: AccessTokenID(UUID()), of: person,
      AccessToken.Terms(
        name: try TokenName("x"), scopes: try #require(TokenScopes(scopes)),
        expiresAt: end.map(time)),
      createdAt: time(10))
  }

  /// Signs a person in.
  private static func session(_ store: Scratch, of person: Author) async throws -> SessionID {
    let id = SessionID(UUID())
    let session = Session(
      id: id, person: person.id, createdAt: time(1), lastUsedAt: time(1),
      client: nil)
    let insertion = try await SessionStore(
      store.database, lifetime: SessionLifetime(idleSeconds: 1000, maximumSeconds: 1000)
    ).insert(
      session, token: try #require(Digest(id.bytes + id.bytes)),
      if: HashedPassword("$\(person.username)"), becoming: nil)
    #expect(insertion != .refused)
    return session.id
  }

  @Test func `a token is found by its digest until it expires or is deleted`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let tokens = AccessTokenStore(store.database)
      let session = try await Self.session(store, of: ada)
      let made = [
        try Self.token(of: ada.id, [.read, .write]), try Self.token(of: ada.id, until: 20),
      ]
      for (number, token) in made.enumerated() {
        #expect(
          try await tokens.insert(
            token, secret: try digest(UInt8(number)), if: nil, in: session))
      }
      #expect(try await tokens.token(secret: digest(0), at: Self.time(15)) == made[0])
      #expect(try await tokens.token(secret: digest(1), at: Self.time(19)) == made[1])
      #expect(try await tokens.token(secret: digest(1), at: Self.time(20)) == nil)
      #expect(try await tokens.token(secret: digest(2), at: Self.time(15)) == nil)
      #expect(try await tokens.tokens(of: ada.id, at: Self.time(19)) == [made[1], made[0]])
      #expect(try await tokens.tokens(of: ada.id, at: Self.time(20)) == [made[0]])
      #expect(try await tokens.tokens(of: bob.id, at: Self.time(15)) == [])
      #expect(
        await failure { try await tokens.delete(made[0].id, of: bob.id) } == "notFound")
      #expect(try await tokens.purgeTokens(at: Self.time(20), .standard) == 1)
      #expect(try await tokens.purgeTokens(at: Self.time(20), .standard) == 0)
      try await tokens.delete(made[0].id, of: ada.id)
      #expect(try await tokens.token(secret: digest(0), at: Self.time(15)) == nil)
      #expect(try store.database.integer("SELECT count(*) FROM access_tokens") == 0)
    }
  }

  @Test func `a token needs a session, the verified password, and the role for its scope`()
    async throws
  {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let tokens = AccessTokenStore(store.database)
      let session = try await Self.session(store, of: ada)
      func insert(
        _ scopes: Set<TokenScope>, if password: String?, in session: SessionID
      ) async throws -> Bool {
        try await tokens.insert(
          try Self.token(of: ada.id, scopes), secret: try digest(1),
          if: password.map(HashedPassword.init), in: session)
      }
      #expect(try await !insert([.read], if: "$bob", in: session))
      #expect(try await !insert([.read], if: "$ada", in: SessionID(UUID())))
      #expect(try await !insert([.read], if: nil, in: Self.session(store, of: bob)))
      #expect(
        await failure { _ = try await insert([.read, .admin], if: "$ada", in: session) }
          == "forbidden")
      let statuses = AccountStatusStore(store.database)
      try await statuses.change(
        AccountChange(role: .admin), of: ada.username, by: .command, at: Self.time(11))
      #expect(try await insert([.read, .admin], if: "$ada", in: session))
      try await statuses.suspend(ada.username, because: nil, by: .command, at: Self.time(11))
      #expect(
        await failure { _ = try await insert([.read], if: nil, in: session) } == "suspended")
      let found = try #require(try await tokens.token(secret: digest(1), at: Self.time(12)))
      #expect(found.accountStatus.isSuspended && found.accountStatus.role == .admin)
      #expect(found.principal == .administrator(ada.id))
      try await statuses.change(
        AccountChange(role: .member), of: ada.username, by: .command, at: Self.time(12))
      let former = try #require(try await tokens.token(secret: digest(1), at: Self.time(12)))
      #expect(former.principal == .person(ada.id))
    }
  }

  @Test func `valid tokens are counted, and expired ones make room`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let tokens = AccessTokenStore(store.database)
      let session = try await Self.session(store, of: ada)
      for number in 1...AccessToken.maximumCount {
        #expect(
          try await tokens.insert(
            try Self.token(of: ada.id, until: number == 1 ? 11 : nil),
            secret: try digest(UInt8(number)), if: nil, in: session))
      }
      func another(at milliseconds: Int64) async throws -> Bool {
        let terms = try Self.token(of: ada.id)
        let token = AccessToken(
          id: terms.id, of: ada.id,
          AccessToken.Terms(name: terms.name, scopes: terms.scopes, expiresAt: nil),
          createdAt: Self.time(milliseconds))
        return try await tokens.insert(token, secret: try digest(99), if: nil, in: session)
      }
      #expect(await failure { _ = try await another(at: 10) } == "tooManyTokens")
      #expect(try await another(at: 11))
    }
  }

  @Test func `a use is recorded if it is later, and not for a deleted token`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let tokens = AccessTokenStore(store.database)
      let session = try await Self.session(store, of: ada)
      let token = try Self.token(of: ada.id)
      #expect(try await tokens.insert(token, secret: try digest(1), if: nil, in: session))
      for (use, last) in [(20, 20), (15, 20), (30, 30)] as [(Int64, Int64)] {
        try await tokens.noteUses([
          token.id: Self.time(use), AccessTokenID(UUID()): Self.time(use),
        ])
        #expect(
          try await tokens.token(secret: digest(1), at: Self.time(40))?.lastUsedAt
            == Self.time(last))
      }
    }
  }

  @Test func `signing out everywhere, a reset and leaving end a person's tokens`() async throws {
    try await withStore { store in
      let tokens = AccessTokenStore(store.database)
      var people: [Author] = []
      for (number, name) in ["ada", "bob", "carl", "dora"].enumerated() {
        let person = try await store.person(name)
        let session = try await Self.session(store, of: person)
        let secret = try digest(UInt8(number))
        #expect(
          try await tokens.insert(
            try Self.token(of: person.id), secret: secret, if: nil, in: session))
        people.append(person)
      }
      func count() throws -> Int? {
        try store.database.integer("SELECT count(*) FROM access_tokens")
      }
      let sessions = SessionStore(
        store.database, lifetime: SessionLifetime(idleSeconds: 1000, maximumSeconds: 1000))
      try await sessions.endAll(of: people[0].id, keepingTokens: true)
      #expect(try count() == 4)
      try await sessions.endAll(of: people[0].id)
      #expect(try count() == 3)
      let resets = PasswordResetStore(store.database)
      _ = try await resets.insert(
        token: try digest(9), for: EmailAddress("bob@example.org"), at: Self.time(11),
        after: Self.time(0), most: 3)
      let reset = try await resets.reset(
        token: try digest(9), after: Self.time(0), to: HashedPassword("$new"), at: Self.time(12))
      #expect(try reset != nil && count() == 2)
      let hasLeft = try await UserStore(store.database).delete(
        people[2].id, if: HashedPassword("$carl"), at: Self.time(11))
      #expect(try hasLeft && count() == 1)
      #expect(try await tokens.token(secret: digest(3), at: Self.time(20)) != nil)
    }
  }

  @Test func `tokens are found by an index`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plans = try await store.database.readers.read { db in
        [
          try db.plan(of: AccessTokenStore.secretQuery, [0] as [UInt8], 1),
          try db.plan(of: AccessTokenStore.listQuery, [0] as [UInt8], 1, 1),
        ]
      }
      #expect(plans[0].contains { $0.contains("(token=?)") }, "\(plans[0])")
      #expect(plans[1].contains { $0.contains("access_tokens_of_user (user=?)") }, "\(plans[1])")
      #expect(!plans.joined().contains { $0.contains("TEMP B-TREE") }, "\(plans)")
    }
  }
}
