import Foundation
import Memes
import PostgreSQL
import SQL
import Support
import Testing

@testable import Storage

/// The twin of ``StatementTests`` for PostgreSQL, whose planner has no hints. Pages are read from a database with
/// thousands of memes and people. Each statement may visit the rows of its page or its scan window, and not those of
/// the whole list: `Tests/Engines/fill.sql` makes accounts and memes with longer lists.
@Suite struct ServerPlanTests {
  /// A scan window has 1,000 rows. The feed looks up each of 1,000 followed people.
  private static let mostRows = Double(ScanWindow.rows + 100)
  /// The lists of accounts 1 and 3, and of the first and the last meme, are longer.
  private static let memes = 6_000

  /// Tables of one row, and the differences of totals.
  private static let small: Set<String> = ["epochs", "totals", "totals_changes"]

  /// Reads pages for a viewer.
  private struct Reading {
    let name: String
    let read: @Sendable (any Database, Principal) async throws -> Void

    init(_ name: String, _ read: @escaping @Sendable (any Database, Principal) async throws -> Void)
    {
      (self.name, self.read) = (name, read)
    }
  }

  @Test func `a page visits few rows of a large database`() async throws {
    try await withStore(on: Engine.tested.intersection([.postgreSQL])) { store in
      try Self.fill(store)
      let database = try #require(store.database as? PostgreSQLDatabase)
      let measured = MeasuredDatabase(database)
      var count = 0
      for viewer in Self.viewers {
        for reading in Self.memeLists + Self.details + Self.peopleLists + Self.personalLists {
          do { try await reading.read(measured, viewer) } catch MemeError.unauthorized {
            #expect(viewer.person == nil, "\(reading.name)")
          }
          for visit in measured.takeVisits() {
            count += 1
            let report =
              "\(reading.name), \(viewer):\n\(visit.sql)\n\(visit.plan.joined(separator: "\n"))"
            #expect(visit.rows <= Self.mostRows, "\(report)")
            #expect(visit.scans.isSubset(of: Self.small), "\(report)")
          }
        }
      }
      #expect(count > 300)
    }
  }

  private static func fill(_ store: Scratch) throws {
    let name: String? = try store.database.readers.blockingRead { db in
      try db.value("SELECT CAST(current_database() AS text)")
    }
    let folder = StatementFile.folder.deletingLastPathComponent()
    let script = try String(
      contentsOf: folder.appending(path: "../../Engines/fill.sql"), encoding: .utf8)
    _ = try PostgreSQLServer.shared().run(
      "SET fill.memes = \(memes); \(script)", in: try #require(name))
  }

  /// Account 1 follows 1,000 people, and 2 has blocked 300.
  private static let viewers: [Principal] = [
    .anonymous, .person(person(1)), .person(person(2)), .administrator(person(4)),
  ]

  private static func person(_ number: Int) -> UserID { UserID(id(1, number)) }
  private static func meme(_ number: Int) -> MemeID { MemeID(id(2, number)) }
  private static func name(_ number: Int) -> Username { Username(stored: "person_\(number)") }

  /// The IDs of `fill.sql`.
  private static func id(_ kind: UInt64, _ number: Int) -> UUID {
    let halves = (kind.bigEndian, UInt64(number).bigEndian)
    return withUnsafeBytes(of: halves) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private static let memeLists: [Reading] = {
    let scopes: [(String, MemeListing.Scope)] = [
      ("all memes", .everybodys), ("memes of an author", .author(.named(name(3)))),
      ("memes of another", .author(.named(name(900)))), ("favorites", .favorites), ("feed", .feed),
      ("popular", .popular),
    ]
    let searches = ["such", "such doge", "ancient", "no7", "ancient wow", "such nothing"]
    var readings: [Reading] = []
    for (name, scope) in scopes {
      for position in [nil, ListPosition(sequence: 3_000)] {
        readings.append(
          Reading(name) { database, viewer in
            _ = try await MemeStore(database).page(
              MemeListing(for: viewer, scope, after: position, limit: 30))
          })
      }
    }
    for (name, scope) in scopes.prefix(3) {
      readings.append(
        Reading("\(name), oldest first") { database, viewer in
          let store = MemeStore(database)
          let listing = MemeListing(for: viewer, scope, .oldest, limit: 30)
          _ = try await store.page(listing)
          _ = try await store.tableRows(listing)
          _ = try await store.gridCells(listing)
        })
    }
    for text in searches {
      readings.append(
        Reading("search for \(text)") { database, viewer in
          let words = try SearchQuery(text).words
          for order in [nil, MemeListing.Order.newest, .oldest] {
            for author in [nil, MemeListing.Author.named(name(3))] {
              _ = try await MemeStore(database).page(
                MemeListing(for: viewer, .matching(words, by: author), order, limit: 30))
            }
          }
        })
    }
    return readings
  }()

  private static let details: [Reading] = [
    Reading("a meme") { database, viewer in
      let store = MemeStore(database)
      _ = try await store.meme(meme(1), for: viewer)
      _ = try await store.picture(.image, of: meme(1), for: viewer)
    },
    Reading("a person") { database, viewer in
      _ = try await RelationStore(database).profile(name(1), for: viewer)
    },
    Reading("templates") { database, viewer in
      let store = TemplateStore(database)
      _ = try await store.templates(TemplateListing(limit: 30))
      for order in TemplateListing.Order.allCases {
        var listing = TemplateListing(limit: 30)
        listing.order = order
        _ = try await store.templates(listing)
        listing.query = try TemplateQuery("name cat")
        listing.tag = try Tag("pet")
        _ = try await store.templates(listing)
      }
      _ = try? await store.template(.alias(try TemplateAlias("cat")))
      _ = try await store.templates(of: person(1), after: nil, limit: 30)
    },
    Reading("the queue of reports") { database, viewer in
      let store = ReportStore(database)
      for status in Report.Status.allCases {
        _ = try await store.reports(of: status, after: nil, limit: 30)
      }
      _ = try await AuditLog(database.readers).entries(after: nil, limit: 30)
    },
    Reading("an export of everything") { database, viewer in
      let collection = MemeCollection(database.readers, Blobs())
      let page = try collection.memes(of: nil, after: .start, limit: 30)
      _ = try collection.memes(of: nil, after: try #require(page.last).place, limit: 30)
    },
  ]

  private static let peopleLists: [Reading] = [
    Reading("comments") { database, viewer in
      let store = CommentStore(database)
      for order in CommentOrder.allCases {
        for position in [nil, ListPosition(sequence: 9_000)] {
          _ = try await store.comments(
            on: meme(2), for: viewer, order, after: position, limit: 30)
        }
      }
    },
    Reading("people who like a meme") { database, viewer in
      _ = try await ReactionStore(database).likers(
        of: meme(1), for: viewer, after: nil, limit: 30)
    },
    Reading("followers and followed people") { database, viewer in
      let store = RelationStore(database)
      for list in [UserList.followers(of: name(1)), .following(by: name(1))] {
        _ = try await store.page(of: list, for: viewer, after: nil, limit: 30)
        _ = try await store.page(
          of: list, for: viewer, after: ListPosition(sequence: 500), limit: 30)
      }
    },
    Reading("people by name") { database, viewer in
      for text in ["person_1", "family", "name7 family1", "nobody"] {
        _ = try await RelationStore(database).people(
          matching: try PersonQuery(text), for: viewer, after: nil, limit: 30)
      }
    },
  ]

  private static let personalLists: [Reading] = [
    Reading("friends and blocked people") { database, viewer in
      guard let person = viewer.person else { return }
      for list in [UserList.friends(of: person), .blocked(by: person)] {
        _ = try await RelationStore(database).page(of: list, for: viewer, after: nil, limit: 30)
      }
    },
    Reading("notifications") { database, viewer in
      let store = NotificationStore(database)
      _ = try await store.notifications(for: viewer, after: nil, limit: 30)
      _ = try await store.notifications(
        for: viewer, after: ListPosition(sequence: 101_000), limit: 30)
    },
    Reading("changes") { database, viewer in
      guard viewer.person != nil else { return }
      let store = MemeStore(database)
      let page = try await store.changes(of: viewer, since: nil, limit: 100)
      _ = try await store.changes(of: viewer, since: page.end, limit: 100)
    },
    Reading("what a person did") { database, viewer in
      guard let person = viewer.person else { return }
      for reaction in Reaction.allCases {
        _ = try await ReactionStore(database).memes(
          with: reaction, by: person, after: nil, limit: 30)
      }
      _ = try await CommentStore(database).comments(by: person, after: nil, limit: 30)
      _ = try await ReportStore(database).reports(by: person, after: nil, limit: 30)
      let sessions = SessionStore(
        database, lifetime: SessionLifetime(idleSeconds: 10, maximumSeconds: 14))
      _ = try await sessions.sessions(of: person, at: Timestamp(millisecondsSince1970: 0))
      _ = try await SettingsStore(database).settings(of: viewer)
      _ = try await UsageStore(database).usage(of: person)
    },
  ]
}
