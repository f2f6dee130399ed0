import Foundation
import Memes
import SQL
import SQLite
import Services
import Support
import Testing

@testable import Storage

/// A random history of several people's memes, deterministic for each seed, and the clients that follow it.
struct SyncHistory {
  let store: Scratch
  let people: [Author]
  var clients: [SyncClient] = []
  var random: SeededRandom
  private var now: Int64 = 1_700_000_000_000
  /// The owner of each meme that had one, by id.
  private var owners: [MemeID: UserID] = [:]
  private var memes: [MemeID] = []
  /// Deletions that are no longer recorded.
  private var pruned: [UserID: [Int64]] = [:]
  private(set) var expirations = 0

  private static let day: Int64 = 86_400_000

  init(_ store: Scratch, seed: UInt64) async throws {
    (self.store, random) = (store, SeededRandom(seed))
    var people: [Author] = []
    for name in ["ada", "bob", "cat"] { people.append(try await store.person(name)) }
    self.people = people
    clients = (0..<6).map { SyncClient(viewer: .person(people[$0 % 3].id)) }
  }

  /// Makes one random change that a person or the server may make.
  mutating func step() async throws {
    now += Int64(random.number(below: 4 * 3_600_000))
    switch random.number(below: 16) {
    case 0...4: try await make()
    case 5...7:
      try await changing { store, id, viewer, _, random in
        let visibility =
          random.number(below: 2) == 0 ? nil : Visibility.allCases[random.number(below: 3)]
        let isOwned = try await store.memes.meme(id, for: viewer).author != nil
        try await store.edit(id, isOwned ? visibility : nil, by: viewer)
      }
    case 8...10:
      try await changing { store, id, viewer, now, random in
        try await store.memes.delete(
          id, if: .any, by: viewer, at: now, restorable: random.number(below: 4) > 0, recording: nil
        )
      }
    case 11:
      try await changing { store, id, viewer, _, _ in
        _ = try await store.memes.restore(
          id, by: viewer, deletedAfter: Timestamp(millisecondsSince1970: 0), recording: nil)
      }
    case 12: try await claim()
    case 13: try await deleteMany()
    case 14:
      now += Int64(random.number(below: 10)) * Self.day
      _ = try await store.memes.purge(deletedUpTo: time(before: 7), .standard)
    default: try await prune()
    }
  }

  /// Lets one client fetch a page.
  mutating func fetch() async throws {
    let index = random.number(below: clients.count)
    if random.number(below: 40) == 0 { clients[index].beginAgain() }
    try await fetch(index, limit: 1 + random.number(below: 8))
  }

  /// Lets all clients fetch everything, and compares them with the server.
  mutating func settle(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    for index in clients.indices {
      repeat {
        try await fetch(index, limit: 1 + random.number(below: 100))
      } while !clients[index].knowsAll
      try await compare(clients[index], sourceLocation: sourceLocation)
    }
  }

  private mutating func fetch(_ index: Int, limit: Int) async throws {
    let client = clients[index]
    let person = try #require(client.viewer.person)
    let isExpired = client.position.map { position in
      pruned[person, default: []].contains { $0 > max(position.number, position.floor) }
    }
    let page: SyncPage
    do {
      page = try await store.memes.changes(of: client.viewer, since: client.position, limit: limit)
    } catch {
      guard case MemeError.cursorExpired = error else { throw error }
      #expect(isExpired == true)
      expirations += 1
      return clients[index].beginAgain()
    }
    #expect(isExpired != true && page.changes.count <= limit)
    for change in page.changes { #expect(owners[change.id] == person) }
    clients[index].apply(page)
    if !page.hasMore { try await compare(clients[index]) }
  }

  private func compare(
    _ client: SyncClient, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let person = try #require(client.viewer.person)
    let listing = MemeListing(for: client.viewer, .author(.person(person)), limit: 10_000)
    let memes = try await store.memes.page(listing).items
    #expect(
      client.memes == Dictionary(uniqueKeysWithValues: memes.map { ($0.id, $0) }),
      sourceLocation: sourceLocation)
  }

  private func time(before days: Int64 = 0) -> Timestamp {
    Timestamp(millisecondsSince1970: now - days * Self.day)
  }

  private mutating func make() async throws {
    let author = random.number(below: 4) == 0 ? nil : people[random.number(below: people.count)]
    let visibility = author == nil ? .public : Visibility.allCases[random.number(below: 3)]
    let new = try newMeme(by: author, visibility, byteCount: 100, at: now)
    _ = try await store.memes.insert(new)
    memes.append(new.meme.id)
    owners[new.meme.id] = author?.id
  }

  /// Changes a meme as a random viewer. If the viewer may not do it, nothing happens.
  private mutating func changing(
    _ body: (Scratch, MemeID, Principal, Timestamp, inout SeededRandom) async throws -> Void
  ) async throws {
    guard !memes.isEmpty else { return }
    // New memes are changed more often.
    let back = min(random.number(below: memes.count), random.number(below: memes.count))
    let id = memes[memes.count - 1 - back]
    let viewer: Principal
    switch random.number(below: 5) {
    case 0: viewer = .admin
    case 1: viewer = .person(people[random.number(below: people.count)].id)
    default: viewer = owners[id].map(Principal.person) ?? .deleteTokenHolder(of: .meme(id))
    }
    do { try await body(store, id, viewer, time(), &random) } catch let error as MemeError {
      switch error {
      case .notFound, .gone, .forbidden, .unauthorized: break
      default: throw error
      }
    }
  }

  private mutating func claim() async throws {
    let nobodys = memes.suffix(20).filter { owners[$0] == nil }
    guard !nobodys.isEmpty else { return }
    let id = nobodys[random.number(below: nobodys.count)]
    let person = people[random.number(below: people.count)].id
    do { _ = try await store.memes.claim(id, for: person) } catch {
      switch error {
      case MemeError.gone, MemeError.notFound: return
      default: throw error
      }
    }
    owners[id] = person
  }

  private mutating func deleteMany() async throws {
    guard random.number(below: 3) == 0 else { return }
    let now = time()
    let trash = Trash(days: 7)
    let deleting = BulkDeletion(
      store: store.memes, trash: trash,
      purge: TrashPurge(store: store.memes, trash: trash, now: { now }), now: { now })
    let person = people[random.number(below: people.count)]
    _ = try await deleting.delete(
      try #require(MemeFilter(author: .person(person.username))), by: .command)
  }

  /// Prunes old deletions, and records which ones.
  private mutating func prune() async throws {
    let before = try numbers()
    _ = try await store.memes.pruneTombstones(
      deletedUpTo: time(before: 10), atMost: 1 + random.number(below: 5))
    let after = try numbers()
    for change in before where !after.contains(where: { $0 == change }) {
      pruned[change.person, default: []].append(change.number)
    }
  }

  private func numbers() throws -> [(number: Int64, person: UserID)] {
    try store.database.readers.blockingRead { db in
      try db.all(
        "SELECT number, users.id FROM changes JOIN users ON users.seq = author"
      ) { row in
        (try row.next(), UserID(try row.nextUUID()))
      }
    }
  }
}

/// A client that keeps a copy, as the contract requires.
struct SyncClient {
  let viewer: Principal
  private(set) var position: SyncPosition?
  private(set) var memes: [MemeID: Meme] = [:]
  private(set) var knowsAll = false

  mutating func apply(_ page: SyncPage) {
    var last = page.start.number
    for change in page.changes {
      #expect(change.number > last)
      last = change.number
      switch change.state {
      case .upsert(let meme): memes[meme.id] = meme
      case .delete(let id, _): memes[id] = nil
      }
    }
    (position, knowsAll) = (page.end, !page.hasMore)
  }

  mutating func beginAgain() { self = SyncClient(viewer: viewer) }
}

extension SyncChange {
  var id: MemeID {
    switch state {
    case .upsert(let meme): meme.id
    case .delete(let id, _): id
    }
  }
}

extension SeededRandom {
  mutating func number(below limit: Int) -> Int { .random(in: 0..<limit, using: &self) }
}
