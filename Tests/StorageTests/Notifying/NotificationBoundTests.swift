import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// Notifications about the actions of very many blocked people.
struct NotificationBoundTests {
  @Test(arguments: [true, false])
  func `behind a hundred blocked people no actor is named, and the count is right`(
    byViewer: Bool
  ) async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let meme = try await store.make(by: ada)
      try await store.like(meme, by: bob)
      try await store.comment("bob's", on: meme, by: bob)
      if byViewer {
        try await store.crowd(120, blockedBy: "ada")
      } else {
        try await store.crowd(120, blocking: "ada")
      }
      try await store.crowd(likes: meme, comments: 1)
      #expect(try await store.told(ada) == ["*1 comment ", "*1 like "])
      #expect(try await store.notifications(of: ada).map(\.comment) == [nil, nil])
      // More people like the meme than are blocked. Any number of the comments may be by one person.
      #expect(try await store.unread(ada) == 1)
      let cat = try await store.person("cat")
      try await store.like(meme, by: cat)
      try await store.comment("cat's", on: meme, by: cat)
      #expect(try await store.told(ada) == ["*2 comment cat", "*2 like cat"])
      #expect(try await store.notifications(of: ada).first?.comment?.text == "cat's")
      #expect(try await store.unread(ada) == 2)
    }
  }

  @Test func `notifications about blocked people are skipped a hundred at a time`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let cat = try await store.person("cat")
      try await store.follow(ada, by: cat)
      for _ in 0..<150 { try await store.like(try await store.make(by: ada), by: bob) }
      try await store.block(ada, by: bob)
      var (counts, position): ([Int], ListPosition?) = ([], nil)
      repeat {
        let page = try await store.notifications.notifications(
          for: .person(ada.id), after: position, limit: 30)
        counts.append(page.page.items.count)
        #expect(page.unread == 1)
        position = page.page.next
      } while position != nil
      #expect(counts == [0, 1])
      try await store.unblock(ada, by: bob)
      #expect(try await store.notifications(of: ada, limit: 30).count == 151)
    }
  }

  @Test func `the cost of a page is bounded, however many blocked people acted`() async throws {
    var steps: [[Int]] = []
    for people in [2 * AccessPolicy.crowd, 6 * AccessPolicy.crowd] {
      try await withStore(on: [.sqlite]) { store in
        let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
        let meme = try await store.make(by: ada)
        try await store.like(meme, by: bob)
        try await store.crowd(people, blocking: "ada")
        try await store.crowd(likes: meme, comments: 1)
        let policy = AccessPolicy(.person(ada.id))
        steps.append([
          try store.steps(of: NotificationStore.pageQuery[policy], by: ada.id, limit: 31),
          try store.steps(of: NotificationStore.unreadQuery[policy], by: ada.id),
        ])
      }
    }
    #expect(steps[1][0] < steps[0][0] * 11 / 10, "\(steps)")
    #expect(steps[1][1] < steps[0][1] * 11 / 10, "\(steps)")
  }
}
