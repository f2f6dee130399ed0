import Foundation
import Memes
import SQL
import SQLite
import Testing

@testable import Storage

/// How reports are stored.
struct ReportStorageTests {
  private let time = Timestamp(millisecondsSince1970: 5)

  private func file(
    _ store: Scratch, _ subject: SubjectName, _ reason: String = "x", by viewer: Principal
  ) async throws -> ReportInsertion {
    try await ReportStore(store.database).file(
      FiledReport(id: ReportID(UUID()), createdAt: time), on: subject,
      because: ReportReason(stored: reason), by: viewer, recording: nil)
  }

  private func reports(
    _ store: Scratch, _ status: Report.Status = .open, limit: Int = 100
  ) async throws -> [Report] {
    var (found, position): ([Report], ListPosition?) = ([], nil)
    repeat {
      let page = try await ReportStore(store.database).reports(
        of: status, after: position, limit: limit)
      found += page.items
      position = page.next
    } while position != nil
    return found
  }

  @Test func `a comment is reported by people who see it, with its text until its deletion`()
    async throws
  {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let cat = try await store.person("cat")
      let meme = try await store.make(by: ada)
      try await store.comment("cheap watches", on: meme, by: bob)
      let comment = CommentID(
        try #require(
          try await store.database.readers.read { db in
            try db.first("SELECT id FROM comments") { row in
              try row.nextUUID()
            }
          }))
      for viewer in [Principal.anonymous, .person(cat.id), .person(ada.id), .admin] {
        _ = try await file(store, .comment(comment), by: viewer)
      }
      let reported = try await reports(store)
      #expect(reported.map(\.reporter) == [nil, ada, cat, nil])
      for report in reported {
        #expect(report.subject.name == .comment(comment))
        #expect(report.subject.author == bob && report.subject.text == "cheap watches")
        #expect(report.subject.meme?.id == meme && !report.subject.isGone)
        #expect(report.openOnSubject == 4)
      }
      for limit in 1...4 { #expect(try await reports(store, limit: limit) == reported) }

      // A person whom its author or the meme's author blocks cannot report it.
      let dan = try await store.person("dan")
      for other in [bob, ada] {
        try await store.block(dan, by: other)
        #expect(
          await failure {
            _ = try await file(store, .comment(comment), by: .person(dan.id))
          } == "notFound")
        try await store.unblock(dan, by: other)
      }
      try await store.uncomment(by: bob)
      #expect(
        await failure {
          _ = try await file(store, .comment(comment), by: .person(dan.id))
        } == "gone")
      let left = try await reports(store)
      #expect(left.allSatisfy { $0.subject.isGone && $0.subject.text == nil })
      #expect(left.map(\.subject.name) == reported.map(\.subject.name))
    }
  }

  @Test func `a person can retrieve their own reports and no others`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let meme = try await store.make()
      _ = try await file(store, .meme(meme), "one", by: .person(bob.id))
      _ = try await file(store, .person(ada.username), "two", by: .person(bob.id))
      _ = try await file(store, .person(bob.username), "three", by: .person(ada.id))
      _ = try await file(store, .meme(meme), "four", by: .anonymous)
      let page = try await ReportStore(store.database).reports(
        by: bob.id, after: nil, limit: 9)
      #expect(page.items.map(\.reason.text) == ["two", "one"])
      #expect(page.items.map(\.subject) == [.person(ada.username), .meme(meme)])
      for (blocker, blocked) in [(ada, bob), (bob, ada)] {
        try await store.block(blocked, by: blocker)
        let hidden = try await ReportStore(store.database).reports(
          by: bob.id, after: nil, limit: 9)
        #expect(hidden.items.map(\.subject) == [nil, .meme(meme)])
        try await store.unblock(blocked, by: blocker)
      }
      let time = time
      #expect(
        try await UserStore(store.database).delete(
          bob.id, if: HashedPassword("$bob"), at: time))
      let left = try await reports(store)
      #expect(left.map(\.reporter) == [nil, ada, nil, nil])
      #expect(left.map(\.subject.isGone) == [false, true, false, false])
    }
  }

  @Test func `at most a thousand reports are closed at once`() async throws {
    try await withStore { store in
      let meme = try await store.make()
      let number = try await store.database.writer.transaction { db in
        try db.run(
          """
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200)
          INSERT INTO reports (id, kind, subject, reason, created_at)
          SELECT randomblob(16), 0, ?, 'x', 5 FROM numbers
          """, meme.bytes)
      }
      #expect(number == 1200)
      let page = try await ReportStore(store.database).reports(of: .open, after: nil, limit: 1)
      let report = try #require(page.items.first)
      #expect(report.openOnSubject == 1000)
      let entry = AuditEntry(at: time, .command, .resolveReport, nil)
      let closed = try await ReportStore(store.database).decide(
        ReportDecision(status: .resolved, note: .keep, isForAll: true), on: report.id,
        recording: entry)
      #expect(closed.openOnSubject == 199)
      #expect(
        try store.database.integer(
          "SELECT CAST(json_extract(details, '$.count') AS bigint) FROM audit") == 1001)
    }
  }

  @Test func `the number of anonymous reports of one subject is limited`() async throws {
    try await withStore { store in
      let (ada, bob) = (try await store.person("ada"), try await store.person("bob"))
      let subject = SubjectName.meme(try await store.make(by: ada))
      func isMade(_ filing: ReportInsertion) -> Bool {
        if case .made = filing { true } else { false }
      }
      for _ in 0..<Report.maximumAnonymous {
        #expect(isMade(try await file(store, subject, by: .anonymous)))
      }
      guard case .renewed(let last) = try await file(store, subject, "more", by: .anonymous) else {
        Issue.record("One more is kept.")
        return
      }
      let kept = try await reports(store)
      #expect(kept.count == Report.maximumAnonymous && kept.first?.id == last.id)
      #expect(kept.allSatisfy { $0.reason.text == "x" })
      // Reports by people, and reports of other subjects, are not affected.
      #expect(isMade(try await file(store, subject, by: .person(bob.id))))
      #expect(isMade(try await file(store, .person(Username(stored: "ada")), by: .anonymous)))
    }
  }
}
