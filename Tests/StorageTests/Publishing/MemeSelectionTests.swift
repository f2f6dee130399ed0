import Memes
import SQLite
import Support
import Testing

@testable import Storage

/// Which memes each viewer's lists contain.
struct MemeSelectionTests {
  private struct Made {
    let id: MemeID
    let author: Author?
    let visibility: Visibility
  }

  @Test(arguments: 1...4)
  func `lists contain the memes that the access rule allows`(
    seed: UInt64
  ) async throws {
    try await withStore { store in
      var random = SeededRandom(seed)
      let relations = RelationStore(store.database)
      var people: [Author] = []
      for number in 0..<6 { people.append(try await store.person("person\(number)")) }
      var (follows, blocks): (Set<[UserID]>, Set<[UserID]>) = ([], [])
      let time = Timestamp(millisecondsSince1970: 0)
      for one in people {
        for other in people where other != one {
          switch Int.random(in: 0..<10, using: &random) {
          case 0 where !blocks.contains([other.id, one.id]):
            try await relations.block(other.username, by: one.id, at: time)
            blocks.insert([one.id, other.id])
            follows.subtract([[one.id, other.id], [other.id, one.id]])
          case 1...7 where !blocks.contains([other.id, one.id]):
            try await relations.follow(other.username, by: one.id, at: time)
            follows.insert([one.id, other.id])
          default: break
          }
        }
      }
      var made: [Made] = []
      for _ in 0..<60 {
        let author = people.randomElement(using: &random)
        let isNobodys = Int.random(in: 0..<6, using: &random) == 0
        let visibility = Visibility.allCases.randomElement(using: &random) ?? .public
        let meme =
          isNobodys
          ? Made(id: try await store.make(), author: nil, visibility: .public)
          : Made(
            id: try await store.make(visibility, by: author), author: author, visibility: visibility
          )
        if Int.random(in: 0..<8, using: &random) == 0 {
          try await store.memes.delete(meme.id, if: .any, at: time, restorable: true)
        } else {
          made.insert(meme, at: 0)
        }
      }
      /// The rule, written independently.
      func sees(_ viewer: Principal, _ meme: Made) -> Bool {
        guard let author = meme.author?.id, viewer != .admin else { return true }
        guard case .person(let person) = viewer else { return meme.visibility == .public }
        if person == author { return true }
        if blocks.contains([person, author]) || blocks.contains([author, person]) { return false }
        let areFriends = follows.contains([person, author]) && follows.contains([author, person])
        return meme.visibility == .public || meme.visibility == .friends && areFriends
      }
      let viewers = [Principal.anonymous, .admin] + people.map { .person($0.id) }
      for viewer in viewers {
        let seen = made.filter { sees(viewer, $0) }
        for limit in [1, 2, 7, 100] {
          #expect(try await store.listed(for: viewer, limit: limit) == seen.map(\.id), "\(viewer)")
          let oldest = try await store.listed(for: viewer, .everybodys, .oldest, limit: limit)
          #expect(oldest == seen.reversed().map(\.id), "\(viewer)")
        }
        if let person = viewer.person {
          let feed = seen.filter { meme in
            meme.author.map { $0.id == person || follows.contains([person, $0.id]) } ?? false
          }
          for limit in [1, 2, 7, 100] {
            #expect(
              try await store.listed(for: viewer, .feed, limit: limit)
                == feed.map(\.id))
          }
        }
        for author in people {
          let isBlockedEitherWay =
            viewer.person.map { person in
              blocks.contains([person, author.id]) || blocks.contains([author.id, person])
            } ?? false
          let name = MemeListing.Author.named(author.username)
          let ids = seen.filter { $0.author == author }.map(\.id)
          if isBlockedEitherWay {
            let memes = store.memes
            #expect(
              await failure {
                _ = try await memes.page(MemeListing(for: viewer, .author(name), limit: 3))
              } == "notFound")
          } else {
            #expect(try await store.listed(for: viewer, .author(name), limit: 3) == ids)
            let oldest = try await store.listed(for: viewer, .author(name), .oldest, limit: 3)
            #expect(oldest == ids.reversed())
            let profile = try await relations.profile(author.username, for: viewer)
            #expect(profile.counts.memes == ids.count)
          }
        }
        for meme in made {
          let memes = store.memes
          let outcome = await failure {
            _ = try await memes.meme(meme.id, for: viewer)
          }
          #expect(outcome == (sees(viewer, meme) ? "none" : "notFound"))
        }
      }
    }
  }

  @Test func `a person's lists use indexes for each page and sort only pages`() async throws {
    try await withStore { store in
      let policy = AccessPolicy(.person(try await store.person("ada").id))
      for selection in [
        MemeSelection.seen, .authorsToAnybody, .authorsToFriend, .authorsToThemselves,
      ] {
        for query in [MemeStore.pageQuery, MemeStore.tableQuery, MemeStore.gridQuery] {
          for direction in MemeDirection.allCases {
            let plan = try store.database.readers.read { db in
              let query = query[selection, policy, direction]
              return try selection == .seen
                ? db.plan(of: query, 0, 100, 31) : db.plan(of: query, 0, 100, 31, 1)
            }
            expectLooks(plan)
          }
        }
      }
    }
  }

  @Test func `a table scan follows its index and reads only its range`() async throws {
    try await withStore { store in
      let policy = AccessPolicy(.person(try await store.person("ada").id))
      for query in [MemeStore.pageQuery, MemeStore.tableQuery, MemeStore.gridQuery] {
        for direction in MemeDirection.allCases {
          let plan = try store.database.readers.read { db in
            try db.plan(of: query[.seenByScan, policy, direction], 0, 100, 31, 50)
          }
          #expect(plan.first == "SEARCH memes USING INDEX memes_listed (seq>? AND seq<?)")
          #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
          expectNoScans(plan)
        }
      }
    }
  }

  @Test func `a feed uses indexes for each page`() async throws {
    try await withStore { store in
      let plans = try store.database.readers.read { db in
        (
          walk: try db.plan(of: MemeStore.walkQuery, 1, 100, 31, 50),
          looks: try db.plan(of: MemeStore.feedQuery, 1, 100, 31)
        )
      }
      #expect(
        plans.walk.first == "SEARCH memes USING INDEX memes_listed (seq>? AND seq<?)",
        "\(plans.walk)")
      #expect(!plans.walk.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") })
      expectLooks(plans.looks)
    }
  }

  private func expectLooks(_ plan: [String]) {
    expectNoScans(plan)
    let looks = plan.filter { $0.hasPrefix("SEARCH memes") }
    let ways = [
      "INDEX memes_public (seq<?)", "INDEX memes_public (seq>?)",
      "INDEX memes_public (seq>? AND seq<?)",
      "INDEX memes_of_author (author=? AND visibility=?", "INTEGER PRIMARY KEY (rowid=?)",
    ]
    #expect(looks.allSatisfy { look in ways.contains { look.contains($0) } }, "\(looks)")
    #expect(!looks.isEmpty)
  }

  private func expectNoScans(_ plan: [String]) {
    // Only sets that are already a page are scanned.
    let scans = plan.filter { $0.hasPrefix("SCAN") }
    #expect(
      scans.allSatisfy {
        $0.hasPrefix("SCAN (subquery")
          || [
            "SCAN page", "SCAN people", "SCAN stretch", "SCAN CONSTANT ROW", "SCAN apart",
            "SCAN theirs",
          ].contains($0)
      },
      "\(plan)")
  }

  @Test func `lists of people use their index`() async throws {
    try await withStore { store in
      let name = try Username("ada")
      let person = try await store.person("ada").id
      for (circle, index) in [
        (
          UserList.followers(of: name),
          "link USING INDEX follows_of_followed (followed=? AND seq>? AND seq<?)"
        ),
        (
          .following(by: name),
          "link USING INDEX follows_of_follower (follower=? AND seq>? AND seq<?)"
        ),
        (.friends(of: person), "link USING INDEX follows_of_follower (follower=? AND seq<?)"),
        (.blocked(by: person), "link USING INDEX blocks_of_blocker (blocker=? AND seq<?)"),
      ] {
        let plan = try store.database.readers.read { db in
          try db.plan(
            of: RelationStore.query(circle, AccessPolicy(.person(person))), 0, 1, 100, 31)
        }
        #expect(plan.contains("SEARCH \(index)"), "\(plan)")
        // Blocked people are few, and found by indexes.
        let ways = ["SCAN stretch", "SCAN CONSTANT ROW", "SCAN apart", "SCAN theirs"]
        let scans = plan.filter { $0.hasPrefix("SCAN") }
        #expect(scans.allSatisfy { ways.contains($0) || $0.hasPrefix("SCAN (subquery") }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
        let policy = AccessPolicy(.person(person))
        guard let stretch = RelationStore.stretch(circle, policy) else { continue }
        let walk = try store.database.readers.read { db in
          try db.plan(of: stretch.query, 0, 1, 100)
        }
        #expect(walk.contains { $0.contains("link USING COVERING INDEX") }, "\(walk)")
      }
    }
  }
}
