import Foundation
import Memes
import Testing

struct BackupRetentionTests {
  @Test func `the newest backup of each of the last days is kept`() throws {
    let times = [
      "2026-11-22T23:59:59Z", "2026-11-22T00:00:00Z", "2026-11-21T23:59:59Z",
      "2026-11-21T12:00:00Z", "2026-11-20T06:00:00Z", "2026-11-19T06:00:00Z",
    ]
    #expect(
      try removed(times, days: 3, weeks: 0)
        == ["2026-11-19T06:00:00Z", "2026-11-21T12:00:00Z", "2026-11-22T00:00:00Z"])
    #expect(
      try removed(times, days: 1, weeks: 0) == Array(times.dropFirst().reversed()))
  }

  @Test func `a week begins on Monday`() throws {
    // 2026-11-22 is a Sunday.
    let times = [
      "2026-11-23T00:00:00Z", "2026-11-22T23:59:59Z", "2026-11-16T00:00:00Z",
      "2026-11-15T23:59:59Z", "2026-11-09T00:00:00Z", "2026-11-08T00:00:00Z",
    ]
    #expect(
      try removed(times, days: 0, weeks: 3)
        == ["2026-11-08T00:00:00Z", "2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z"])
  }

  @Test func `daily and weekly backups add up`() throws {
    let times = (1...30).reversed().map { String(format: "2026-11-%02dT03:00:00Z", $0) }
    // The last days, and the Sundays before them. The 30th is a Monday.
    let kept = Set([30, 29, 28, 22, 15].map { String(format: "2026-11-%02dT03:00:00Z", $0) })
    #expect(
      try removed(times, days: 3, weeks: 4) == times.filter { !kept.contains($0) }.reversed())
  }

  @Test func `days and weeks without a backup do not count`() throws {
    let times = ["2026-11-22T03:00:00Z", "2026-03-01T03:00:00Z", "2024-02-29T03:00:00Z"]
    #expect(try removed(times, days: 3, weeks: 0) == [])
    #expect(try removed(times, days: 0, weeks: 3) == [])
    #expect(try removed(times, days: 2, weeks: 2) == ["2024-02-29T03:00:00Z"])
  }

  @Test func `the newest backup is always kept`() throws {
    #expect(
      try removed(["2026-11-22T03:00:00Z", "2026-11-22T02:00:00Z"], days: 0, weeks: 0)
        == ["2026-11-22T02:00:00Z"])
    #expect(try removed(["2026-11-22T03:00:00Z"], days: 0, weeks: 0) == [])
    #expect(try removed([], days: 7, weeks: 4) == [])
  }

  @Test func `times before 1970 have days and weeks too`() throws {
    let times = ["1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1969-12-29T00:00:00Z"]
    #expect(
      try removed(times, days: 2, weeks: 0) == ["1969-12-29T00:00:00Z"])
    // All three are in the week of Monday, 29 December.
    #expect(
      try removed(times, days: 0, weeks: 2) == ["1969-12-29T00:00:00Z", "1969-12-31T23:59:59Z"])
  }

  @Test func `input order does not matter, and a second pass removes no more`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let times = (0..<20).map { _ in Int64.random(in: 0...100 * 86_400_000, using: &random) }
      let backups = Set(times).map(backup(at:))
      let keeping = BackupRetention(
        days: .random(in: 0...9, using: &random), weeks: .random(in: 0...9, using: &random),
        manual: 0)
      let surplus = keeping.surplus(of: backups)
      #expect(surplus == keeping.surplus(of: backups.shuffled()))
      let rest = backups.filter { backup in !surplus.contains { $0.id == backup.id } }
      #expect(rest.count >= 1 && rest.count <= max(1, keeping.days + keeping.weeks))
      #expect(rest.contains { $0.takenAt == backups.map(\.takenAt).max() })
      #expect(keeping.surplus(of: rest) == [])
      // After a newer backup, everything that was surplus is still surplus.
      let next = backup(at: 101 * 86_400_000)
      let later = Set(keeping.surplus(of: backups + [next]).map(\.id))
      #expect(surplus.allSatisfy { later.contains($0.id) })
    }
  }

  @Test func `a manual backup removes no other one of the same day`() throws {
    func backup(_ time: String, _ number: Int, isManual: Bool) throws -> Backup {
      let time = try Timestamp(time)
      return Backup(
        id: BackupID(UUID()), takenAt: time, program: "1", isManual: isManual, number: number,
        state: .complete(Backup.Contents(verifiedAt: time, byteCount: 1, memes: 0)))
    }
    let backups = [
      try backup("2026-11-22T03:00:00Z", 1, isManual: false),
      try backup("2026-11-22T10:00:00Z", 2, isManual: true),
      try backup("2026-11-22T10:10:00Z", 3, isManual: true),
    ]
    func removed(_ manual: Int) -> [Int] {
      BackupRetention(days: 7, weeks: 4, manual: manual).surplus(of: backups).map(\.number)
    }
    #expect(removed(10) == [] && removed(2) == [])
    #expect(removed(1) == [2] && removed(0) == [2])
    // Without a scheduled backup, the newest manual one stands for its day.
    let nextDay = try backup("2026-11-23T03:00:00Z", 4, isManual: true)
    let daily = BackupRetention(days: 7, weeks: 4, manual: 0)
    #expect(daily.surplus(of: [backups[1], backups[2], nextDay]).map(\.number) == [2])
    // A later scheduled backup of the day replaces the earlier one.
    let evening = try backup("2026-11-22T15:00:00Z", 4, isManual: false)
    #expect(daily.surplus(of: [backups[0], backups[2], evening]).map(\.number) == [1, 3])
  }

  @Test func `the last backup is kept whatever the clock said before`() throws {
    let ahead = Backup(
      id: BackupID(UUID()), takenAt: try Timestamp("2030-01-01T00:00:00Z"), program: "1", number: 1,
      state: .copying(BackupProgress(doneBytes: 0, allBytes: 0)))
    let last = Backup(
      id: BackupID(UUID()), takenAt: try Timestamp("2026-11-22T00:00:00Z"), program: "1", number: 2,
      state: .copying(BackupProgress(doneBytes: 0, allBytes: 0)))
    #expect(
      BackupRetention(days: 0, weeks: 0, manual: 0).surplus(of: [ahead, last]).map(\.number) == [1])
  }

  private func removed(_ times: [String], days: Int, weeks: Int) throws -> [String] {
    let backups = try times.map {
      backup(at: try Timestamp($0).millisecondsSince1970)
    }
    return BackupRetention(days: days, weeks: weeks, manual: 0).surplus(of: backups.shuffled())
      .map { $0.takenAt.description.replacing(".000Z", with: "Z") }
  }

  private func backup(at milliseconds: Int64) -> Backup {
    let time = Timestamp(millisecondsSince1970: milliseconds)
    return Backup(
      id: BackupID(UUID()), takenAt: time, program: "1",
      state: .complete(Backup.Contents(verifiedAt: time, byteCount: 1, memes: 0)))
  }
}
