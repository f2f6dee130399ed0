import Foundation
import Support
import Testing

/// Migrations of databases of every earlier version, with rows in all tables.
struct UpgradeTests {
  @Test(arguments: EarlierVersion.all)
  func `every row of an earlier version is kept intact and served`(
    version: EarlierVersion
  ) async throws {
    try await withFolder { folder in
      try await version.make(in: folder.url)
      let before = try await version.contents(of: folder.url)
      for (table, rows) in before.rows { #expect(!rows.isEmpty, "\(table) has no rows") }

      let (code, output) = try await ServerProcess.run(["migrate", "--data", folder.url.path])
      #expect(code == 0 && output.contains("restore-points/mememe-"), "\(output)")
      let after = try await version.contents(of: folder.url, columns: before.columns)
      for (table, rows) in before.rows {
        let found = try #require(after.rows[table], "\(table) is gone")
        if table == "migrations" {
          #expect(Set(found).isSuperset(of: rows))
        } else {
          #expect(found.sorted() == rows.sorted(), "\(table)")
        }
      }
      let (checked, lines) = try await folder.check()
      #expect(checked == 0, "\(lines)")
      try await withServer(in: folder.url) { try await expectServed(version, by: $0) }
      let (again, found) = try await folder.check()
      #expect(again == 0, "\(found)")
    }
  }

  private func expectServed(_ version: EarlierVersion, by server: TestServer) async throws {
    let token = server.adminToken
    let list = try await server.get("/memes", token: token).expect(200).json.items.elements
    let tops = list.compactMap(\.top.text)
    #expect(
      tops == ["liked", "private", "styled"] + (version.number < 2 ? ["in the trash"] : [])
        + ["nobody's"])
    for meme in list {
      let id = meme.id.text ?? ""
      for picture in ["image", "original", "thumbnail?view=table", "thumbnail?view=grid"] {
        let answer = try await server.get("/memes/\(id)/\(picture)", token: token).expect(200)
        #expect(answer["content-type"] == "image/png")
      }
    }
    // Rendered again from a recipe of that version.
    let styled = try #require(list.first { $0.top.text == "styled" }?.id.text)
    try await server.patch("/memes/\(styled)", #"{"bottom":"new"}"#, token: token).expect(200)
    guard version.number >= 13 else { return }
    let ada = try await server.get("/users/ada").expect(200).json
    #expect(ada.counts.followers.int == 1 && ada.counts.memes.int == 1)
  }

  @Test func `new and current folders get no restore point`() async throws {
    try await withFolder { folder in
      for _ in 0..<2 {
        let (code, output) = try await ServerProcess.run(["migrate", "--data", folder.url.path])
        #expect(code == 0)
        let version = EarlierVersion.latest.number
        #expect(output == "The database in \(folder.url.path) is at version \(version).\n")
      }
      #expect(folder.restorePoints.isEmpty)
    }
  }

  @Test func `a server that migrates logs the path of the restore point`() async throws {
    try await withFolder { folder in
      try await EarlierVersion(25).make(in: folder.url)
      let before = try Data(contentsOf: folder.database)
      try await withServer(in: folder.url) { server in
        let point = try #require(folder.restorePoints.first)
        #expect(point.lastPathComponent.hasSuffix("Z-before-migration-26.db"))
        #expect(try Data(contentsOf: point) == before)
        #expect(try server.log.contains(point.path))
      }
    }
  }

  @Test func `the first start sets quotas, but none that is already exceeded`() async throws {
    try await withFolder { folder in
      try await EarlierVersion.latest.make(in: folder.url)
      try folder.execute(
        "DELETE FROM storage_limits; UPDATE users SET stored_bytes = 3000000000 WHERE username = 'ada'"
      )
      for isFirst in [true, false] {
        try await withServer(in: folder.url) { server in
          let usage = try await server.get("/admin/usage", token: server.adminToken).expect(200)
          #expect(usage.json.accounts.limitOfEach == .null)
          #expect(usage.json.anonymous.limit.int != nil)
          let lines = try server.log.split(separator: "\n")
          // The second start logs no further lines.
          #expect(lines.count { $0.contains("storage limit disabled") } == 1, "\(isFirst)")
          #expect(lines.count { $0.contains("storage limit set") } == 1, "\(isFirst)")
        }
      }
    }
  }

  @Test func `the restore point can be disabled`() async throws {
    try await withFolder { folder in
      try await EarlierVersion(20).make(in: folder.url)
      let (code, output) = try await ServerProcess.run(
        ["migrate", "--no-restore-point", "--data", folder.url.path])
      #expect(code == 0, "\(output)")
      #expect(folder.restorePoints.isEmpty)
      #expect(try await folder.check().code == 0)
    }
  }
}

extension CheckedFolder {
  /// The restore point files, oldest first.
  var restorePoints: [URL] {
    let folder = url.appending(path: "restore-points")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appending(path: $0) }
  }
}
