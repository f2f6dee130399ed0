import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

struct SessionStoreTests {
  private let password = HashedPassword("$hash")
  private let person = UserID(UUID())
  private let lifetime = SessionLifetime(idleSeconds: 10, maximumSeconds: 14)

  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: milliseconds)
  }

  private func withPerson(_ body: (Scratch, SessionStore, UserStore) async throws -> Void)
    async throws
  {
    try await withStore { store in
      let users = UserStore(store.database)
      let user = User(
        id: person, username: try Username("ada"), email: try EmailAddress("ada@example.org"),
        displayName: nil, biography: nil, createdAt: time(0), passwordChangedAt: time(0))
      _ = try await users.insert(Account(user: user, password: password), recording: nil)
      try await body(store, SessionStore(store.database, lifetime: lifetime), users)
    }
  }

  private func session(at milliseconds: Int64) -> Session {
    Session(
      id: SessionID(UUID()), person: person, createdAt: time(milliseconds),
      lastUsedAt: time(milliseconds), client: nil)
  }

  @Test func `a hundred sessions are kept, and the least recently used one is removed`()
    async throws
  {
    try await withPerson { _, sessions, _ in
      for number in 1...105 {
        let token = try digest(UInt8(number))
        #expect(
          try await sessions.insert(
            session(at: Int64(number)), token: token, if: password, becoming: nil)
            == .inserted(isNewDevice: number == 1))
      }
      let kept = try await sessions.sessions(of: person, at: time(200))
      #expect(kept.map(\.createdAt.millisecondsSince1970) == (6...105).reversed().map(Int64.init))
    }
  }

  @Test func `no session is created for a password that has changed`() async throws {
    try await withPerson { _, sessions, users in
      let (first, late, new) = (session(at: 1), session(at: 3), HashedPassword("$new"))
      let tokens = [try digest(1), try digest(3)]
      var insertion = try await sessions.insert(
        first, token: tokens[0], if: password, becoming: nil)
      #expect(insertion == .inserted(isNewDevice: true))
      var done = try await users.setPassword(
        new, of: person, insteadOf: password, at: time(2), keeping: first.id)
      #expect(done)
      insertion = try await sessions.insert(late, token: tokens[1], if: password, becoming: nil)
      #expect(insertion == .refused)
      done = try await users.setPassword(
        password, of: person, insteadOf: password, at: time(2), keeping: first.id)
      #expect(!done)
      done = try await users.delete(person, if: password, at: time(3))
      #expect(!done)
      let kept = try await sessions.sessions(of: person, at: time(3))
      #expect(kept == [first])
      done = try await users.delete(person, if: new, at: time(3))
      #expect(done)
      #expect(try await sessions.session(token: tokens[0], at: time(3)) == nil)
    }
  }

  @Test func `expired sessions are purged, idle or old, and no others`() async throws {
    try await withPerson { _, sessions, _ in
      let all = [session(at: 1000), session(at: 5000), session(at: 9000)]
      for (index, session) in all.enumerated() {
        _ = try await sessions.insert(
          session, token: try digest(UInt8(index + 1)), if: password, becoming: nil)
      }
      try await sessions.noteUse(of: all[0], at: time(20_000))
      // The first is 14 seconds old, and the second unused for 10.
      let now = time(15_000)
      #expect(try await sessions.purgeSessions(at: now, .standard) == 2)
      #expect(try await sessions.purgeSessions(at: now, .standard) == 0)
      #expect(try await sessions.sessions(of: person, at: time(0)) == [all[2]])
    }
  }

  @Test func `tokens and expired sessions are found by an index`() async throws {
    try await withStore(on: [.sqlite]) { store in
      let plans = try await store.database.readers.read { db in
        [
          try db.plan(of: SessionStore.tokenQuery, [0] as [UInt8], 0, 0),
          try db.plan(of: SessionStore.dueQuery, 0, 0, 1),
        ]
      }
      #expect(
        plans[0] == [
          "SEARCH s USING PRIMARY KEY (token=?)",
          "SEARCH users USING INTEGER PRIMARY KEY (rowid=?)",
        ])
      let due = plans[1].joined()
      #expect(due.contains("sessions_idle") && due.contains("sessions_age"), "\(plans[1])")
    }
  }
}
