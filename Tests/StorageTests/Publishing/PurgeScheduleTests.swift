import Foundation
import Memes
import SQL
import SQLite
import Services
import Storage
import Testing

@Suite struct PurgeScheduleTests {
  /// A schedule whose hours pass under the control of the test.
  private struct Scheduled {
    let schedule: PurgeSchedule
    let pass: AsyncStream<Void>.Continuation
    var reports: AsyncStream<Result<Int, any Error>>.Iterator

    init(_ memes: MemeStore) {
      let (hours, pass) = AsyncStream.makeStream(of: Void.self)
      let (reports, report) = AsyncStream.makeStream(of: Result<Int, any Error>.self)
      self.pass = pass
      self.reports = reports.makeAsyncIterator()
      schedule = PurgeSchedule(
        TrashPurge(store: memes, trash: Trash(days: 0)) { Timestamp(millisecondsSince1970: 1) },
        pause: {
          for await _ in hours { return }
          throw CancellationError()
        }, report: { report.yield($0) })
    }
  }

  private func trash(_ count: Int, _ memes: MemeStore) async throws {
    for _ in 0..<count {
      let new = try newMeme()
      _ = try await memes.insert(new)
      try await memes.delete(
        new.meme.id, if: .any, at: Timestamp(millisecondsSince1970: 0), restorable: true)
    }
  }

  @Test func `the trash is purged at once, and again after each hour`() async throws {
    try await withStore { store in
      try await trash(2, store.memes)
      var scheduled = Scheduled(store.memes)
      #expect(try await scheduled.reports.next()?.get() == 2)
      try await trash(3, store.memes)
      for expected in [3, 0] {
        scheduled.pass.yield()
        #expect(try await scheduled.reports.next()?.get() == expected)
      }
      await scheduled.schedule.stop()
    }
  }

  @Test func `a failed purge is tried again at the next time`() async throws {
    try await withStore { store in
      try await trash(2, store.memes)
      // The ids cannot be recorded, so nothing may be removed.
      try await rename("deleted_memes", "away", store)
      var scheduled = Scheduled(store.memes)
      let failed = try #require(await scheduled.reports.next())
      #expect(throws: MemeError.self) { try failed.get() }
      #expect(try store.database.integer("SELECT count(*) FROM memes") == 2)
      try await rename("away", "deleted_memes", store)
      scheduled.pass.yield()
      #expect(try await scheduled.reports.next()?.get() == 2)
      await scheduled.schedule.stop()
    }
  }

  private func rename(_ table: String, _ other: String, _ store: Scratch) async throws {
    try await store.database.writer.transaction { db in
      try db.run("ALTER TABLE \(table) RENAME TO \(other)")
    }
  }

  @Test func `a stop ends the pause`() async throws {
    try await withStore { store in
      let schedule = PurgeSchedule(
        TrashPurge(store: store.memes, trash: Trash(days: 0)) {
          Timestamp(millisecondsSince1970: 1)
        },
        pause: { try await Task.sleep(for: .seconds(3600)) }, report: { _ in })
      await schedule.stop()
    }
  }
}
