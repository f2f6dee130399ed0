import Memes
import SQL
import SQLite
import Testing

@testable import Storage

struct PersonSearchTests {
  private func found(
    _ text: String, _ store: Scratch, for viewer: Principal = .anonymous, limit: Int = 2
  ) async throws -> [String] {
    let relations = RelationStore(store.database)
    var (names, position): ([String], PersonPosition?) = ([], nil)
    repeat {
      let page = try await relations.people(
        matching: try PersonQuery(text), for: viewer, after: position, limit: limit)
      names += page.items.map(\.user.username.text)
      position = page.next
    } while position != nil
    return names
  }

  private func rename(_ person: Author, _ name: String?, _ store: Scratch) async throws {
    let choice = try name.map { ProfileChange.Choice.set(try DisplayName($0)) } ?? .clear
    let change = ProfileChange(displayName: choice, biography: nil, email: nil)
    _ = try await UserStore(store.database).change(
      change, of: person.id, if: nil, at: Timestamp(millisecondsSince1970: 0))
  }

  @Test func `usernames come first, the shortest first, then words of names`() async throws {
    try await withStore { store in
      var people: [String: Author] = [:]
      for (name, display) in [
        ("anna_k", "Zoë"), ("ann", "Annabel Ann Lee"), ("bob", "Ánnie Smith"), ("cyd", "Jo Annand"),
        ("dan", "ann"), ("annika", nil), ("eve", "山田 太郎"), ("___", nil),
      ] {
        people[name] = try await store.person(name)
        if let person = people[name] { try await rename(person, display, store) }
      }
      for limit in [1, 2, 3, 100] {
        #expect(
          try await found("ANN", store, limit: limit)
            == ["ann", "anna_k", "annika", "dan", "cyd", "bob"])
      }
      for (text, names) in [
        ("@anna_", ["anna_k", "ann", "cyd"]), ("zoe", ["anna_k"]), ("smi ánn", ["bob"]),
        ("lee an", ["ann"]),
        ("ann lee x", []), ("___", ["___"]), ("_", ["___"]), ("太郎", ["eve"]), ("山", ["eve"]),
        ("田太", []), ("nn", []), ("b", ["bob"]),
        ("example", []), ("ada@example.org", []),
      ] {
        #expect(try await found(text, store) == names, "\(text)")
      }
      let bob = try #require(people["bob"])
      try await rename(bob, "Robert", store)
      #expect(try await found("smith", store).isEmpty)
      #expect(try await found("rob", store) == ["bob"])
      try await rename(bob, nil, store)
      #expect(try await found("rob", store).isEmpty)
    }
  }

  @Test func `a page may begin after a deleted person`() async throws {
    try await withStore { store in
      let relations = RelationStore(store.database)
      let names = ["cat1", "cat2", "cat3", "cat4"]
      for name in names { _ = try await store.person(name) }
      let first = try await relations.people(
        matching: try PersonQuery("cat"), for: .anonymous, after: nil, limit: 2)
      #expect(first.items.map(\.user.username.text) == ["cat1", "cat2"])
      try await store.database.writer.transaction { db in
        try db.run("DELETE FROM users WHERE username IN ('cat2', 'cat3')")
      }
      let rest = try await relations.people(
        matching: try PersonQuery("cat"), for: .anonymous, after: first.next, limit: 2)
      #expect(rest.items.map(\.user.username.text) == ["cat4"] && rest.next == nil)
    }
  }

  @Test func `a full page does not reveal who is hidden after it`() async throws {
    try await withStore { store in
      let relations = RelationStore(store.database)
      let ada = try await store.person("ada")
      for name in ["cat1", "cat2", "cat3"] {
        let person = try await store.person(name)
        guard name == "cat2" else { continue }
        let time = Timestamp(millisecondsSince1970: 0)
        try await relations.block(person.username, by: ada.id, at: time)
      }
      let page = try await relations.people(
        matching: try PersonQuery("cat"), for: .person(ada.id), after: nil, limit: 1)
      #expect(page.items.map(\.user.username.text) == ["cat1"] && page.next?.word == "cat1")
      #expect(try await found("cat", store, for: .person(ada.id), limit: 1) == ["cat1", "cat3"])
    }
  }

  @Test func `blocked people do not find each other`() async throws {
    try await withStore { store in
      let relations = RelationStore(store.database)
      let (ada, mal) = (try await store.person("ada"), try await store.person("mal"))
      let time = Timestamp(millisecondsSince1970: 0)
      try await relations.block(mal.username, by: ada.id, at: time)
      for (viewer, text, names) in [
        (Principal.person(ada.id), "mal", [String]()), (.person(mal.id), "ada", []),
        (.person(ada.id), "ada", ["ada"]), (.anonymous, "mal", ["mal"]), (.admin, "mal", ["mal"]),
      ] {
        #expect(try await found(text, store, for: viewer) == names)
      }
      try await relations.unblock(mal.username, by: ada.id)
      #expect(try await found("mal", store, for: .person(ada.id)) == ["mal"])
    }
  }
}
