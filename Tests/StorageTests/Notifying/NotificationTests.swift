import Foundation
import Memes
import SQL
import SQLite
import Services
import Testing

@testable import Storage

/// Which notifications people get, and which they do not get.
struct NotificationTests {
  private let day: Int64 = 86_400_000

  @Test func `events join the unread notification of their kind and meme`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let (cat, dan) = (try await store.person("cat"), try await store.person("dan"))
      let (one, other) = (try await store.make(by: ada), try await store.make(by: ada))
      try await store.like(one, by: bob, at: 5)
      try await store.like(other, by: bob)
      try await store.comment("first", on: one, by: bob)
      try await store.follow(ada, by: dan)
      try await store.like(one, by: cat, at: 6)
      try await store.comment("second", on: one, by: bob)
      try await store.comment("third", on: one, by: cat)
      try await store.comment("fourth", on: one, by: bob)
      try await store.like(one, by: dan, at: 7)
      #expect(
        try await store.told(ada) == [
          "*3 like dan cat bob", "*4 comment bob cat", "*1 follow dan", "*1 like bob",
        ])
      let told = try await store.notifications(of: ada)
      #expect(told.map(\.meme?.id) == [one, one, nil, other])
      #expect(told.map(\.comment?.text) == [nil, "fourth", nil, nil])
      #expect(told[0].createdAt.millisecondsSince1970 == 5)
      #expect(told[0].updatedAt.millisecondsSince1970 == 7)
      #expect(try await store.unread(ada) == 4)
      for limit in 1...5 {
        #expect(try await store.notifications(of: ada, limit: limit) == told)
      }
      for other in [bob, cat, dan] { #expect(try await store.told(other) == []) }
    }
  }

  @Test func `own actions and memes without an author cause no notifications`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let (mine, nobodys) = (try await store.make(by: ada), try await store.make())
      try await store.like(mine, by: ada)
      try await store.comment(on: mine, by: ada)
      try await store.like(nobodys, by: bob)
      #expect(try await store.told(ada) == [])
      // Own actions do not change notifications about others either.
      try await store.comment("bob's", on: mine, by: bob)
      try await store.comment("ada's", on: mine, by: ada)
      #expect(try await store.told(ada) == ["*1 comment bob"])
      #expect(try await store.notifications(of: ada).first?.comment?.text == "bob's")
      try await store.uncomment(by: ada)
      #expect(try await store.told(ada) == ["*1 comment bob"])
      _ = try await store.memes.claim(nobodys, for: ada.id)
      try await store.comment(on: nobodys, by: bob)
      #expect(try await store.told(ada) == ["*1 comment bob", "*1 comment bob"])
    }
  }

  @Test func `actions that are undone disappear from notifications`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let cat = try await store.person("cat")
      let meme = try await store.make(by: ada)
      try await store.like(meme, by: bob)
      try await store.like(meme, by: cat)
      try await store.comment("one", on: meme, by: bob)
      try await store.comment("two", on: meme, by: bob)
      try await store.follow(ada, by: bob)
      try await store.unlike(meme, by: cat)
      try await store.uncomment(by: bob)
      #expect(try await store.told(ada) == ["*1 follow bob", "*1 comment bob", "*1 like bob"])
      #expect(try await store.notifications(of: ada)[1].comment?.text == "one")
      try await store.unlike(meme, by: bob)
      try await store.uncomment(by: bob)
      try await RelationStore(store.database).unfollow(ada.username, by: bob.id)
      #expect(try await store.told(ada) == [])
      #expect(try await store.unread(ada) == 0)
      #expect(try store.database.integer("SELECT count(*) FROM notifications") == 0)
      // This also holds for notifications that were read.
      try await store.like(meme, by: cat, at: day)
      try await store.comment(on: meme, by: bob)
      try await store.readAll(ada)
      #expect(try await store.told(ada) == ["1 comment bob", "1 like cat"])
      try await store.unlike(meme, by: cat)
      #expect(try await store.told(ada) == ["1 comment bob"])
    }
  }

  @Test func `a read notification is closed, and the next event begins a new one`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let (cat, dan) = (try await store.person("cat"), try await store.person("dan"))
      let meme = try await store.make(by: ada)
      try await store.like(meme, by: bob)
      try await store.follow(ada, by: bob)
      let seen = try await store.notifications(of: ada)
      // These events come between the fetch and the call that marks the page as read.
      try await store.like(meme, by: cat)
      let last = try #require(seen.first)
      for _ in 0..<2 { try await store.notifications.markRead(through: last.id, by: ada.id) }
      #expect(try await store.told(ada) == ["*2 like cat bob", "1 follow bob"])
      #expect(try await store.unread(ada) == 1)
      let newest = try #require(try await store.notifications(of: ada).first)
      #expect(newest.id != seen.last?.id)
      try await store.notifications.markRead(through: newest.id, by: ada.id)
      #expect(try await store.unread(ada) == 0)
      try await store.like(meme, by: dan)
      #expect(try await store.told(ada) == ["*1 like dan", "2 like cat bob", "1 follow bob"])
      // Bob has no notifications, so he cannot mark Ada's as read.
      try await store.notifications.markRead(through: nil, by: bob.id)
      #expect(try await store.unread(ada) == 1)
      try await store.notifications.markRead(through: nil, by: ada.id)
      #expect(try await store.unread(ada) == 0)
    }
  }

  @Test func `repeated likes notify once, and at most once a day after they were read`()
    async throws
  {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let cat = try await store.person("cat")
      let meme = try await store.make(by: ada)
      for time in 0..<100 {
        try await store.like(meme, by: bob, at: Int64(time))
        #expect(try await store.told(ada) == ["*1 like bob"])
        if time < 99 { try await store.unlike(meme, by: bob) }
      }
      try await store.readAll(ada)
      for time in 0..<100 {
        try await store.unlike(meme, by: bob)
        try await store.like(meme, by: bob, at: 100 + Int64(time))
      }
      try await store.follow(ada, by: bob)
      try await store.readAll(ada)
      for time in 0..<10 {
        try await RelationStore(store.database).unfollow(ada.username, by: bob.id)
        try await store.follow(ada, by: bob, at: Int64(time))
      }
      #expect(try await store.told(ada) == [])
      // Together with other likes they count, but they are not news.
      try await store.like(meme, by: cat, at: 300)
      let place = try await store.notifications(of: ada).first?.id
      try await store.unlike(meme, by: bob)
      try await store.like(meme, by: bob, at: 301)
      #expect(try await store.told(ada) == ["*2 like bob cat"])
      #expect(try await store.notifications(of: ada).first?.id == place)
      try await store.unlike(meme, by: bob)
      #expect(try await store.told(ada) == ["*1 like cat"])
      // A day later, the like is news again.
      try await store.like(meme, by: bob, at: 99 + day)
      #expect(try await store.notifications(of: ada).first?.id != place)
      #expect(try await store.told(ada) == ["*2 like bob cat"])
    }
  }

  @Test func `people get no notifications that they turned off`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let cat = try await store.person("cat")
      let meme = try await store.make(by: ada)
      #expect(PersonalSettings().notifications.likes)
      for (off, told) in [
        (0, ["*1 follow bob", "*1 comment bob"]), (1, ["*1 follow bob", "*1 like bob"]),
        (2, ["*1 comment bob", "*1 like bob"]),
      ] {
        try await store.choose(ada) { chosen in
          (chosen.likes, chosen.comments, chosen.follows) = (off != 0, off != 1, off != 2)
        }
        try await store.like(meme, by: bob)
        try await store.comment(on: meme, by: bob)
        try await store.follow(ada, by: bob)
        #expect(try await store.told(ada) == told)
        try await store.unlike(meme, by: bob)
        try await store.uncomment(by: bob)
        try await RelationStore(store.database).unfollow(ada.username, by: bob.id)
        #expect(try await store.told(ada) == [])
      }
      // Events without a notification never join a later notification.
      try await store.choose(ada) { $0.likes = true }
      try await store.like(meme, by: bob)
      try await store.choose(ada) { $0.likes = false }
      #expect(try await store.told(ada) == ["1 like bob"])
      let dan = try await store.person("dan")
      try await store.like(meme, by: dan)
      try await store.choose(ada) { $0.likes = true }
      try await store.like(meme, by: cat)
      #expect(try await store.told(ada) == ["*1 like cat", "1 like bob"])
      try await store.unlike(meme, by: dan)
      #expect(try await store.told(ada) == ["*1 like cat", "1 like bob"])
    }
  }

  @Test func `trashed memes cause no notifications, and purged ones are forgotten`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let meme = try await store.make(by: ada)
      let time = Timestamp(millisecondsSince1970: 5)
      try await store.like(meme, by: bob)
      try await store.follow(ada, by: bob)
      try await store.memes.delete(meme, if: .any, at: time, restorable: true)
      #expect(try await store.told(ada) == ["*1 follow bob"])
      #expect(try await store.unread(ada) == 1)
      _ = try await store.memes.restore(
        meme, deletedAfter: Timestamp(millisecondsSince1970: 0))
      #expect(try await store.told(ada) == ["*1 follow bob", "*1 like bob"])
      try await store.memes.delete(meme, if: .any, at: time, restorable: false)
      #expect(try await store.told(ada) == ["*1 follow bob"])
      #expect(try store.database.integer("SELECT count(*) FROM notifications") == 1)
    }
  }

  @Test func `notifications about and for a deleted account are removed`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let cat = try await store.person("cat")
      let (meme, bobs) = (try await store.make(by: ada), try await store.make(by: bob))
      for person in [bob, cat] {
        try await store.like(meme, by: person)
        try await store.comment(on: meme, by: person)
        try await store.follow(ada, by: person)
      }
      try await store.like(bobs, by: cat)
      try await store.readAll(ada)
      try await store.readAll(bob)
      let users = UserStore(store.database)
      let time = Timestamp(millisecondsSince1970: 5)
      var done = try await users.delete(bob.id, if: HashedPassword("$bob"), at: time)
      #expect(done)
      #expect(try await store.told(ada) == ["1 follow cat", "1 comment cat", "1 like cat"])
      #expect(
        await failure {
          _ = try await store.notifications.notifications(
            for: .person(bob.id), after: nil, limit: 1)
        } == "unauthorized")
      done = try await users.delete(ada.id, if: HashedPassword("$ada"), at: time)
      #expect(done)
      #expect(try store.database.integer("SELECT count(*) FROM notifications") == 0)
      #expect(try store.database.integer("SELECT count(*) FROM taken_back") != 0)
      #expect(
        try await NotificationPurge(store: store.notifications) {
          Timestamp(millisecondsSince1970: day)
        }.purge() != 0)
      #expect(try store.database.integer("SELECT count(*) FROM taken_back") == 0)
    }
  }
}
