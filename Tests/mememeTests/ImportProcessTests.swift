import Foundation
import Support
import Testing

/// Interrupted imports resume.
struct ImportProcessTests {
  private static let count = 300

  /// Rows out of chronological order, which share a few pictures.
  private func fill(_ folder: ImportFolder) throws {
    try folder.put(.transparent, as: "a/one.png")
    try folder.put(.moving, as: "two.gif")
    try folder.put(.photo, as: "three.jpg")
    var rows = ["file,top,createdAt,format,id"]
    for index in 0..<Self.count {
      let minute = index * 7 % Self.count
      let time = "2020-01-0\(1 + minute / 60)T00:\(minute % 60 < 10 ? "0" : "")\(minute % 60):00Z"
      let id = index % 4 == 0 ? UUID().uuidString : ""
      let file = ["a/one.png", "two.gif", "three.jpg"][index % 3]
      rows.append("\(file),row \(minute),\(time),jpeg,\(id)")
    }
    try folder.put(rows.joined(separator: "\n"))
  }

  private func expectWhole(_ folder: ImportFolder) async throws {
    let rows = try await texts(
      in: folder.data, columns: 2, "SELECT top, CAST(created_at AS TEXT) FROM memes ORDER BY seq")
    #expect(rows.map(\.[0]) == (0..<Self.count).map { "row \($0)" })
    #expect(rows.map(\.[1]) == rows.map(\.[1]).sorted())
    try await folder.check()
  }

  /// Starts an import and ends it once there are `count` memes.
  private func run(
    _ folder: ImportFolder, until count: Int, endedBy signal: Int32
  ) async throws -> (code: Int32, output: String) {
    let command = try RunningCommand(
      ["import", folder.pictures.path, "--data", folder.data.path, "--render-workers", "1"],
      log: folder.data.deletingLastPathComponent().appending(path: "log"))
    return try await command.end(by: signal) { folder.count() >= count }
  }

  @Test func `300 rows are imported once each, in order, despite kill -9 and repeats`()
    async throws
  {
    try await withImportFolder { folder in
      try fill(folder)
      for count in [20, 110, 200] {
        #expect(try await run(folder, until: count, endedBy: SIGKILL).code == SIGKILL)
        #expect((count..<Self.count).contains(folder.count()))
      }
      let before = folder.count()
      let last = try await folder.run()
      #expect(last.code == 0, "\(last.output)")
      #expect(last.output.contains("imported \(Self.count - before) memes"))
      #expect(last.output.contains("\(before) already imported"))
      try await expectWhole(folder)
      let again = try await folder.run()
      #expect(again.code == 0)
      #expect(again.output.contains("imported 0 memes"))
    }
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `a stopped import says how to resume`(signal: Int32, code: Int32) async throws {
    try await withImportFolder { folder in
      try fill(folder)
      let ended = try await run(folder, until: 30, endedBy: signal)
      #expect(ended.code == code, "\(ended.output)")
      #expect(ended.output.contains("run the same command to continue"))
      let kept = folder.count()
      #expect(ended.output.contains("imported \(kept) memes"))
      #expect((30..<Self.count).contains(kept))
      #expect(try await folder.run().code == 0)
      try await expectWhole(folder)
    }
  }
}
