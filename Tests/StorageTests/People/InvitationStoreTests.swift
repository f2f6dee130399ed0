import Foundation
import Memes
import SQL
import Testing

@testable import Storage

struct InvitationStoreTests {
  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  /// - Parameter end: in milliseconds.
  private static func invitation(
    email: String? = nil, role: Role = .member, uses: Int = 1, until end: Int64 = 1000
  ) throws -> Invitation {
    Invitation(
      id: InvitationID(UUID()), inviter: nil, createdAt: time(10),
      terms: Invitation.Terms(
        email: try email.map(EmailAddress.init), role: role, uses: uses, expiresAt: time(end)))
  }

  /// - Returns: the role of the account.
  private static func join(
    _ store: Scratch, _ name: String, _ code: Digest, at milliseconds: Int64 = 20
  ) async throws -> Role? {
    let user = User(
      id: UserID(UUID()), username: try Username(name),
      email: try EmailAddress("\(name)@example.org"), displayName: nil, biography: nil,
      createdAt: time(milliseconds), passwordChangedAt: time(milliseconds))
    let insertion = try await UserStore(store.database).insert(
      Account(user: user, password: HashedPassword("$\(name)")), invitation: code, recording: nil)
    guard case .inserted(let user) = insertion else { return nil }
    let stored = try await UserStore(store.database).account(user.id)
    #expect(stored?.user.role == user.role && stored?.accountStatus.role == user.role)
    return user.role
  }

  @Test func `a code creates as many accounts as it has uses, in time and for its email`()
    async throws
  {
    try await withStore { store in
      let invitations = InvitationStore(store.database)
      let codes = try (1...3).map { try digest(UInt8($0)) }
      for (code, invitation) in zip(
        codes,
        [
          try Self.invitation(role: .admin, uses: 2), try Self.invitation(email: "Zoe@example.ORG"),
          try Self.invitation(until: 20),
        ])
      {
        let inviter = try await invitations.insert(
          invitation, code: code, by: .admin, most: 3, recording: nil)
        #expect(inviter == nil)
      }
      #expect(try await Self.join(store, "ada", codes[0]) == .admin)
      #expect(await failure { _ = try await Self.join(store, "ada", codes[0]) } == "usernameTaken")
      #expect(try await Self.join(store, "bob", codes[0]) == .admin)
      #expect(
        await failure { _ = try await Self.join(store, "carl", codes[0]) } == "invalidInvitation")
      #expect(
        await failure { _ = try await Self.join(store, "carl", codes[1]) } == "invalidInvitation")
      #expect(try await Self.join(store, "zoe", codes[1]) == .member)
      #expect(
        await failure { _ = try await Self.join(store, "carl", codes[2], at: 20) }
          == "invalidInvitation")
      #expect(try await Self.join(store, "carl", codes[2], at: 19) == .member)
      #expect(try store.database.integer("SELECT count(*) FROM invitations") == 0)
    }
  }

  @Test func `a setup link is not valid again after the first admin has lost the role`()
    async throws
  {
    try await withStore { store in
      let (invitations, statuses) = (
        InvitationStore(store.database), AccountStatusStore(store.database)
      )
      let ada = try await store.person("ada")
      let zoe = User(
        id: UserID(UUID()), username: try Username("zoe"),
        email: try EmailAddress("zoe@example.org"), displayName: nil, biography: nil,
        createdAt: Self.time(11), passwordChangedAt: Self.time(11), role: .admin)
      func give(_ role: Role, to username: Username) async throws {
        try await statuses.change(
          AccountChange(role: role), of: username, by: .command, at: Self.time(11))
      }
      for number in 1...2 as ClosedRange<UInt8> {
        let code = try digest(number)
        #expect(
          try await invitations.insertSetup(
            InvitationID(UUID()), code: code, at: Self.time(10), until: Self.time(1000)))
        if number == 1 {
          try await give(.admin, to: ada.username)
          try await give(.member, to: ada.username)
        } else {
          try await statuses.insert(
            Account(
              user: zoe, password: HashedPassword("$zoe"),
              accountStatus: AccountStatus(role: .admin, isSuspended: false)),
            recording: AuditEntry(at: Self.time(11), .command, .createPerson, "zoe"))
          try await give(.member, to: zoe.username)
        }
        #expect(
          await failure { _ = try await Self.join(store, "eve", code) } == "invalidInvitation")
      }
    }
  }

  @Test
  func `valid invitations of one inviter are counted, also of the admin token, but no setup links`()
    async throws
  {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let invitations = InvitationStore(store.database)
      var number: UInt8 = 0
      func invite(_ viewer: Principal, until end: Int64 = 1000) async throws -> Username? {
        number += 1
        return try await invitations.insert(
          try Self.invitation(until: end), code: try digest(number), by: viewer, most: 2,
          recording: nil)
      }
      // This one has expired when the others are made.
      _ = try await invite(.person(ada.id), until: 10)
      for setup in 200...202 as ClosedRange<UInt8> {
        #expect(
          try await invitations.insertSetup(
            InvitationID(UUID()), code: try digest(setup), at: Self.time(10), until: Self.time(1000)
          ))
      }
      for (viewer, name) in [(Principal.person(ada.id), ada.username as Username?), (.admin, nil)] {
        for _ in 0..<2 { #expect(try await invite(viewer) == name) }
        #expect(await failure { _ = try await invite(viewer) } == "tooManyInvitations")
      }
      #expect(try await invite(.person(bob.id)) == bob.username)
      #expect(
        await failure { _ = try await invite(.person(UserID(UUID()))) } == "unauthorized")
      try await AccountStatusStore(store.database).suspend(
        bob.username, because: nil, by: .command, at: Self.time(11))
      #expect(await failure { _ = try await invite(.person(bob.id)) } == "suspended")
    }
  }

  @Test func `lists have pages, newest first: a member's own, and all for an admin`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let invitations = InvitationStore(store.database)
      var made: [Invitation] = []
      for (number, inviter) in [ada, bob, ada, ada].enumerated() {
        let invitation = try Self.invitation(
          email: number == 0 ? "x@example.org" : nil, until: number == 3 ? 15 : 1000)
        _ = try await invitations.insert(
          invitation, code: try digest(UInt8(number)), by: .person(inviter.id), most: 9,
          recording: nil)
        made.append(
          Invitation(
            id: invitation.id, inviter: inviter.username, createdAt: invitation.createdAt,
            terms: invitation.terms))
      }
      // Setup links are not listed.
      #expect(
        try await invitations.insertSetup(
          InvitationID(UUID()), code: try digest(200), at: Self.time(10), until: Self.time(1000)))
      func listed(_ viewer: Principal) async throws -> [Invitation] {
        var (found, position): ([Invitation], ListPosition?) = ([], nil)
        repeat {
          let page = try await invitations.invitations(
            for: viewer, at: Self.time(15), after: position, limit: 1)
          found += page.items
          position = page.next
        } while position != nil
        return found
      }
      // The fourth has expired.
      #expect(try await listed(.person(ada.id)) == [made[2], made[0]])
      #expect(try await listed(.admin) == [made[2], made[1], made[0]])
      #expect(try await listed(.administrator(bob.id)).count == 3)
      #expect(
        await failure {
          try await invitations.delete(made[0].id, by: .person(bob.id), recording: nil)
        }
          == "notFound")
      try await invitations.delete(made[0].id, by: .person(ada.id), recording: nil)
      try await invitations.delete(made[1].id, by: .admin, recording: nil)
      #expect(try await listed(.admin) == [made[2]])
      #expect(try await invitations.purgeInvitations(at: Self.time(15), .standard) == 1)
      #expect(try await invitations.purgeInvitations(at: Self.time(15), .standard) == 0)
      #expect(try await listed(.admin) == [made[2]])
    }
  }

  @Test func `a suspension, the loss of the admin role and leaving end a person's invitations`()
    async throws
  {
    try await withStore { store in
      let people = [
        try await store.person("ada"), try await store.person("bob"),
        try await store.person("carl"),
      ]
      let (invitations, statuses) = (
        InvitationStore(store.database), AccountStatusStore(store.database)
      )
      func invite(_ person: Author, _ code: UInt8) async throws {
        _ = try await invitations.insert(
          try Self.invitation(), code: try digest(code), by: .person(person.id), most: 9,
          recording: nil)
      }
      for (number, person) in people.enumerated() { try await invite(person, UInt8(number)) }
      try await statuses.suspend(
        people[0].username, because: nil, by: .command, at: Self.time(11))
      try await statuses.change(
        AccountChange(role: .admin), of: people[1].username, by: .command, at: Self.time(11))
      #expect(try store.database.integer("SELECT count(*) FROM invitations") == 2)
      try await statuses.change(
        AccountChange(role: .member), of: people[1].username, by: .command, at: Self.time(11))
      let hasLeft = try await UserStore(store.database).delete(
        people[2].id, if: HashedPassword("$carl"), at: Self.time(11))
      #expect(hasLeft)
      #expect(try store.database.integer("SELECT count(*) FROM invitations") == 0)
    }
  }

  @Test func `a member's list and codes are found by an index`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plan = try await store.database.readers.read { db in
        try db.plan(of: InvitationStore.ownQuery, 1, 1, 1, [0] as [UInt8])
      }
      #expect(
        plan.contains { $0.contains("invitations_of_inviter (inviter=? AND seq<?)") }, "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }
}
