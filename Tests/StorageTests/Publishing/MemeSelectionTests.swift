import Memes
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
}
