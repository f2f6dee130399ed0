import Foundation
import Memes
import SQL
import SQLite
import Support
import Synchronization
import Testing

@testable import Storage

/// Clients end up equal to the server, whatever happens and however they fetch.
struct SyncModelTests {
  @Test(arguments: 1...6)
  func `a client that applies all pages is equal to the server`(
    seed: UInt64
  ) async throws {
    try await withStore { store in
      var history = try await SyncHistory(store, seed: seed)
      for round in 0..<600 {
        try await history.step()
        if history.random.number(below: 3) == 0 { try await history.fetch() }
        if round % 200 == 199 { try await history.settle() }
      }
      // Otherwise the test does not cover cursors that expire.
      #expect(history.expirations > 0)
    }
  }

  @Test func `a client that reads pages during writes misses nothing`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let writers = Done()
      let client = try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<4 {
          let author = writer == 3 ? bob : ada
          group.addTask {
            var random = SeededRandom(UInt64(writer))
            for _ in 0..<60 {
              let id = try await store.make(
                Visibility.allCases[random.number(below: 3)], by: author)
              for _ in 0..<random.number(below: 3) { try await store.edit(id, by: .admin) }
              if random.number(below: 2) == 0 {
                try await store.memes.delete(
                  id, if: .any, at: Timestamp(millisecondsSince1970: 1),
                  restorable: random.number(below: 2) == 0)
              }
            }
          }
        }
        async let reading = {
          var (client, random) = (SyncClient(viewer: .person(ada.id)), SeededRandom(99))
          while true {
            let wasDone = writers.isSet.load(ordering: .acquiring)
            let page = try await store.memes.changes(
              of: client.viewer, since: client.position, limit: 1 + random.number(below: 9))
            client.apply(page)
            if wasDone, !page.hasMore { return client }
            // Reads do not suspend: on two cores, two such loops would keep all threads from the writers.
            await Task.yield()
          }
        }()
        try await group.waitForAll()
        writers.isSet.store(true, ordering: .releasing)
        return try await reading
      }
      let listing = MemeListing(for: client.viewer, .author(.person(ada.id)), limit: 10_000)
      let memes = try await store.memes.page(listing).items
      #expect(!memes.isEmpty)
      #expect(client.memes == Dictionary(uniqueKeysWithValues: memes.map { ($0.id, $0) }))
    }
  }
}

private final class Done: Sendable {
  let isSet = Atomic<Bool>(false)
}
