import Foundation
import Memes
import SQL
import Testing

@testable import Storage

struct SecondFactorStoreTests {
  private static let sealed = [UInt8](repeating: 7, count: 60)
  private static let lifetime = SessionLifetime(idleSeconds: 1000, maximumSeconds: 1000)

  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  private static func signIn(
    _ store: Scratch, _ person: Author, using use: SecondFactorUse = .off
  ) async throws -> SessionID? {
    let session = Session(
      id: SessionID(UUID()), person: person.id, createdAt: time(1), lastUsedAt: time(1),
      client: nil)
    var token = [UInt8](repeating: 0, count: 32)
    token.replaceSubrange(0..<16, with: session.id.bytes)
    let insertion = try await SessionStore(store.database, lifetime: lifetime).insert(
      session, token: try #require(Digest(token)), if: HashedPassword("$\(person.username)"),
      becoming: nil, using: use)
    return insertion == .refused ? nil : session.id
  }

  /// Turns on a second factor with the step 5 and two recovery codes.
  private static func turnOn(
    _ store: Scratch, _ person: Author, codes: [UInt8] = [1, 2]
  ) async throws -> SecondFactorProof {
    let session = try #require(try await signIn(store, person))
    let proof = SecondFactorProof(
      person: person.id, password: HashedPassword("$\(person.username)"), session: session)
    let factors = SecondFactorStore(store.database)
    #expect(try await factors.begin(sealed: sealed, of: person.id, if: nil, in: session))
    #expect(try await factors.stored(of: person.id)?.isOn == false)
    #expect(try await factors.factor(of: person.id) == nil)
    #expect(
      try await factors.turnOn(
        sealed: sealed, step: 5, codes: try codes.map { try digest($0) }, at: time(10), proof))
    return proof
  }

  @Test func `a session needs a later step or a recovery code, each once`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let factors = SecondFactorStore(store.database)
      _ = try await Self.turnOn(store, ada)
      _ = try await Self.turnOn(store, bob, codes: [3])
      #expect(
        try await factors.factor(of: ada.id)
          == SecondFactor(enabledAt: Self.time(10), recoveryCodes: 2))
      #expect(await failure { _ = try await Self.signIn(store, ada) } == "codeRequired")
      let other = [UInt8](repeating: 8, count: 60)
      for use in [
        SecondFactorUse.step(5, sealed: Self.sealed), .step(4, sealed: Self.sealed),
        .step(6, sealed: other), .recovery(try digest(3)), .recovery(try digest(4)),
      ] {
        #expect(
          await failure { _ = try await Self.signIn(store, ada, using: use) } == "invalidCode")
      }
      #expect(try store.database.integer("SELECT count(*) FROM sessions") == 2)
      for use in [SecondFactorUse.step(6, sealed: Self.sealed), .recovery(try digest(1))] {
        #expect(try await Self.signIn(store, ada, using: use) != nil)
        #expect(
          await failure { _ = try await Self.signIn(store, ada, using: use) } == "invalidCode")
      }
      #expect(try await factors.factor(of: ada.id)?.recoveryCodes == 1)
      #expect(try await factors.factor(of: bob.id)?.recoveryCodes == 1)
    }
  }

  @Test func `of sign-ins with one code at the same time, one succeeds`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      _ = try await Self.turnOn(store, ada)
      for use in [SecondFactorUse.step(9, sealed: Self.sealed), .recovery(try digest(2))] {
        let successes = await withTaskGroup(of: Bool.self) { group in
          for _ in 0..<8 {
            group.addTask { (try? await Self.signIn(store, ada, using: use)) != nil }
          }
          return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
      }
    }
  }

  @Test func `an access token needs a code too`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let proof = try await Self.turnOn(store, ada)
      let tokens = AccessTokenStore(store.database)
      func make(using use: SecondFactorUse) async throws -> Bool {
        try await tokens.insert(
          AccessToken(
            id: AccessTokenID(UUID()), of: ada.id,
            AccessToken.Terms(name: TokenName(stored: "x"), scopes: .app, expiresAt: nil),
            createdAt: Self.time(10)),
          secret: try digest(9), if: nil, in: proof.session, using: use)
      }
      #expect(await failure { _ = try await make(using: .off) } == "codeRequired")
      #expect(
        await failure { _ = try await make(using: .step(5, sealed: Self.sealed)) } == "invalidCode")
      #expect(try await make(using: .step(6, sealed: Self.sealed)))
    }
  }

  @Test func `a change needs a session, the verified password, and no other factor`() async throws {
    try await withStore { store in
      let ada = try await store.person("ada")
      let factors = SecondFactorStore(store.database)
      let proof = try await Self.turnOn(store, ada)
      func altered(_ password: String, _ session: SessionID) -> SecondFactorProof {
        SecondFactorProof(person: ada.id, password: HashedPassword(password), session: session)
      }
      let later = SecondFactorUse.step(8, sealed: Self.sealed)
      for wrong in [altered("$bob", proof.session), altered("$ada", SessionID(UUID()))] {
        #expect(try await !factors.turnOff(using: later, wrong))
        #expect(try await !factors.replaceCodes(by: [try digest(5)], using: later, wrong))
      }
      #expect(
        try await !factors.begin(sealed: Self.sealed, of: ada.id, if: nil, in: SessionID(UUID())))
      #expect(
        await failure {
          _ = try await factors.begin(
            sealed: Self.sealed, of: ada.id, if: nil, in: proof.session)
        } == "secondFactorOn")
      #expect(
        await failure {
          _ = try await factors.turnOn(
            sealed: Self.sealed, step: 9, codes: [], at: Self.time(11), proof)
        } == "secondFactorOn")
      #expect(await failure { _ = try await factors.turnOff(using: .off, proof) } == "codeRequired")
      #expect(try await factors.replaceCodes(by: [try digest(5)], using: later, proof))
      #expect(
        await failure { _ = try await factors.turnOff(using: .recovery(try digest(1)), proof) }
          == "invalidCode")
      #expect(try await factors.turnOff(using: .recovery(try digest(5)), proof))
      #expect(try await factors.stored(of: ada.id) == nil)
      #expect(await failure { _ = try await factors.turnOff(using: .off, proof) } == "notFound")
      #expect(
        await failure {
          _ = try await factors.replaceCodes(by: [try digest(6)], using: .off, proof)
        } == "notFound")
      #expect(
        await failure {
          _ = try await factors.turnOn(
            sealed: Self.sealed, step: 9, codes: [], at: Self.time(11), proof)
        } == "invalidCode")
      #expect(try store.database.integer("SELECT count(*) FROM recovery_codes") == 0)
    }
  }

  @Test func `a suspended user changes nothing, an operator turns it off, leaving removes it`()
    async throws
  {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let (factors, statuses) = (
        SecondFactorStore(store.database), AccountStatusStore(store.database)
      )
      let proof = try await Self.turnOn(store, ada)
      _ = try await Self.turnOn(store, bob, codes: [3])
      try await statuses.suspend(ada.username, because: nil, by: .command, at: Self.time(11))
      #expect(
        await failure {
          _ = try await factors.turnOff(using: .recovery(try digest(1)), proof)
        } == "suspended")
      for _ in 1...2 {
        try await statuses.turnOffSecondFactor(of: ada.username, by: .command, at: Self.time(12))
      }
      #expect(try await factors.stored(of: ada.id) == nil)
      #expect(
        try store.database.integer(
          "SELECT count(*) FROM audit WHERE act = 'turn-off-second-factor'")
          == 1)
      #expect(
        await failure {
          try await statuses.turnOffSecondFactor(
            of: try Username("nobody"), by: .command, at: Self.time(12))
        } == "notFound")
      #expect(try await factors.stored(of: bob.id)?.isOn == true)
      let hasLeft = try await UserStore(store.database).delete(
        bob.id, if: HashedPassword("$bob"), at: Self.time(13))
      #expect(hasLeft)
      #expect(try store.database.integer("SELECT count(*) FROM second_factors") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM recovery_codes") == 0)
    }
  }
}
