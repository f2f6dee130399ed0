import Foundation
import MemeMeClient
import Support
import Testing

struct AdministrationTests {
  @Test func `reports are filed, listed and decided`() async throws {
    try await withLiveServer { server in
      let ada = try await server.client(of: "ada")
      let bob = try await server.client(of: "bob")
      let meme = try await ada.publish(MemeDraft(.image(try Fixture.moving.picture), top: "x")).meme
      let comment = try await ada.comment(on: meme.id, "rude")
      let filed = try await bob.report(meme.id, "not funny")
      _ = try await bob.report(comment.id, "rude")
      _ = try await bob.report(person: "ada", "rude")

      #expect(await failure { _ = try await bob.reports() } == "forbidden")
      let admin = server.client(server.adminToken)
      let reports = try await admin.reports().items
      #expect(Set(reports.map(\.subject.kind)) == [.meme, .comment, .person])
      let report = try #require(reports.first { $0.id == filed.id })
      #expect((report.reason, report.reporter?.username) == ("not funny", "bob"))
      #expect(report.subject.meme?.id == meme.id)
      let decided = try await admin.decide(
        report.id, ReportDecision(.dismissed, note: "it is", all: true))
      #expect(
        (decided.status, decided.note, decided.closedBy?.kind) == (.dismissed, "it is", .token))
      #expect(try await admin.reports(.dismissed).items.map(\.id) == [report.id])
      #expect(try await admin.reports().items.count == 2)
      #expect(try await admin.adminActs().items.first?.act == "dismiss-report")
    }
  }

  @Test func `people are suspended, and memes are deleted in bulk`() async throws {
    try await withLiveServer { server in
      let ada = try await server.client(of: "ada")
      let admin = server.client(server.adminToken)
      for _ in 0..<3 {
        _ = try await ada.publish(MemeDraft(.image(try Fixture.moving.picture), top: "x"))
      }
      _ = try await server.client().publish(MemeDraft(.image(try Fixture.moving.picture), top: "x"))
      let statistics = try await admin.statistics()
      #expect((statistics.memes, statistics.people) == (4, 1))
      #expect(statistics.uploadsPerDay.last?.count == 4)
      #expect(statistics.bytes.originals > 0)

      try await admin.suspend("ada", reason: "too many cats")
      #expect(await failure { _ = try await ada.account() } != "none")
      try await admin.unsuspend("ada")

      let past = DeletionFilter(
        after: Date(timeIntervalSinceNow: -7200), before: Date(timeIntervalSinceNow: -3600))
      #expect(try await admin.deleteMemes(past) == 0)
      #expect(
        try await admin.deleteMemes(DeletionFilter(owner: .person("ada")), isTrial: true) == 3)
      #expect(try await admin.deleteMemes(DeletionFilter(owner: .person("ada"))) == 3)
      #expect(try await admin.deleteMemes(DeletionFilter(owner: .nobody)) == 1)
      #expect(
        await failure { _ = try await admin.deleteMemes(DeletionFilter()) } == "invalid-input")
      let acts = try await admin.adminActs(limit: 2)
      #expect(acts.items.map(\.act) == ["delete-memes", "delete-memes"])
      #expect(acts.items.first?.details.anonymous == true)
      var all: [String] = []
      for try await act in Pages({ try await admin.adminActs(limit: 2, after: $0) }) {
        all.append(act.act)
      }
      #expect(all.contains("suspend") && all.contains("unsuspend"))
    }
  }

  @Test func `accounts are listed, changed and deleted`() async throws {
    try await withLiveServer { server in
      for name in ["ada", "bob"] { _ = try await server.client(of: name) }
      let admin = server.client(server.adminToken)
      #expect(try await admin.accounts().items.map(\.username) == ["bob", "ada"])
      #expect(
        try await admin.accounts(matching: "bo", isSuspended: false, role: "member").items.count
          == 1
      )
      #expect(try await admin.setRole("admin", of: "ada").role == "admin")
      #expect(try await admin.account(of: "ada").suspendedAt == nil)
      let link = try await admin.resetLink(for: "bob")
      #expect(link.url.contains("/reset-password#") && link.expiresAt > Date())
      try await admin.deleteAccount(of: "bob")
      #expect(await failure { _ = try await admin.account(of: "bob") } == "not-found")
    }
  }

  @Test func `health and readiness are checked`() async throws {
    try await withLiveServer { server in
      try await server.client().checkHealth()
      try await server.client().checkReadiness()
    }
  }
}
