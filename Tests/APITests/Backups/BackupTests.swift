import Eventually
import Foundation
import SQL
import SQLite
import Storage
import Support
import Testing
import Wire
import mememe

/// Backup endpoints: creation, listing, download and deletion by an admin.
struct BackupTests {
  @Test func `a backup is created, listed, downloaded and deleted, and each act is audited`()
    async throws
  {
    try await withLiveServer { server in
      for _ in 0..<3 { _ = try await server.make() }
      try await server.delete(try await server.make(), token: server.adminToken).expect(204)
      let none = try await server.get("/admin/backups", token: server.adminToken).expect(200).json
      #expect(none.items.elements.isEmpty && none.nextCursor == .null)
      #expect(none.intervalSeconds.int == 0 && none.keepDays.int == 7 && none.keepWeeks.int == 4)
      #expect((none.freeBytes.int ?? 0) > 0)

      let backup = try await server.backUp()
      let (id, name) = (try #require(backup.id.text), try #require(backup.fileName.text))
      #expect(backup.memes.int == 3 && backup.problem == .null && backup.progress == .null)
      #expect(backup.url.text == "/admin/backups/\(id)/file")
      let list = try await server.get("/admin/backups", token: server.adminToken).json
      #expect(list.items.elements == [backup])

      let onDisk = Array(try Data(contentsOf: server.folder.appending(path: "backups/\(name)")))
      #expect(onDisk.count == backup.byteCount.int)
      let file = try await server.get("/admin/backups/\(id)/file", token: server.adminToken)
        .expect(200)
      #expect(file.response.body == onDisk)
      #expect(file["content-type"] == "application/vnd.sqlite3")
      #expect(file["content-disposition"] == "attachment; filename=\"\(name)\"")
      #expect(file["cache-control"] == "no-store")
      let bearer = ("Authorization", "Bearer \(server.adminToken)")
      let part = try await server.send(
        "GET", "/admin/backups/\(id)/file",
        headers: [bearer, ("Range", "bytes=100-"), ("If-Range", try #require(file["etag"]))]
      ).expect(206)
      #expect(part.response.body == Array(onDisk[100...]))
      let head = try await server.send(
        "HEAD", "/admin/backups/\(id)/file", headers: [bearer]
      ).expect(200)
      #expect(head["content-length"] == "\(onDisk.count)" && head.response.body.isEmpty)
      try await server.send(
        "GET", "/admin/backups/\(id)/file",
        headers: [bearer, ("If-None-Match", try #require(file["etag"]))]
      ).expect(304)

      try await server.delete("/admin/backups/\(id)", token: server.adminToken).expect(204)
      for method in ["GET", "DELETE"] {
        try await server.ask(method, "/admin/backups/\(id)", token: server.adminToken)
          .expect(404, problem: "not-found")
      }
      try await server.get("/admin/backups/\(id)/file", token: server.adminToken).expect(404)
      try await server.get("/admin/backups/none", token: server.adminToken).expect(404)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: server.folder.appending(path: "backups").path) == [])
      let acts = try await server.acts()
      #expect(acts.prefix(1) == ["token delete-backup \(id)"])
      // HEAD, range and conditional requests are audited as downloads too.
      #expect(acts.count { $0 == "token download-backup \(id)" } == 4)
      #expect(acts.count { $0 == "token create-backup \(id)" } == 1)
    }
  }

  @Test func `only admins can manage backups`() async throws {
    try await withLiveServer { server in
      let (admin, member) = (try await server.signUpAdmin("ada"), try await server.signUp("eve"))
      let id = try #require(try await server.backUp(token: admin).id.text)
      for (method, target) in [
        ("POST", "/admin/backups"), ("GET", "/admin/backups"), ("GET", "/admin/backups/\(id)"),
        ("GET", "/admin/backups/\(id)/file"), ("DELETE", "/admin/backups/\(id)"),
      ] {
        try await server.ask(method, target, token: member).expect(403, problem: "forbidden")
        try await server.ask(method, target).expect(401, problem: "unauthorized")
      }
      #expect(try await server.acts().contains("ada create-backup \(id)"))
    }
  }

  @Test func `an access token of an admin makes and lists backups, but downloads none`()
    async throws
  {
    try await withLiveServer { server in
      let token = try await server.makeToken(["admin"], token: try await server.signUpAdmin("ada"))
      let id = try #require(try await server.backUp(token: token).id.text)
      try await server.get("/admin/backups", token: token).expect(200)
      for method in ["GET", "HEAD"] {
        #expect(
          try await server.ask(method, "/admin/backups/\(id)/file", token: token).status == 403)
      }
      #expect(try await !server.acts().contains { $0.contains("download-backup") })
    }
  }

  @Test func `only one backup runs at a time, and it can be canceled`() async throws {
    try await withLiveServer { server in
      // Enough data for some tens of copy steps.
      let large = [UInt8](repeating: 7, count: 4_000_000)
      try await server.fill(with: large, rows: 30)
      let begun = try await server.ask("POST", "/admin/backups", token: server.adminToken)
        .expect(202)
      let address = try #require(begun["location"])
      #expect(begun.json.state.text == "copying" && begun.json.url == .null)
      #expect(begun.json.progress.allBytes.int ?? 0 > 100_000_000)
      let other = try await server.ask("POST", "/admin/backups", token: server.adminToken)
        .expect(409, problem: "backup-running")
      #expect(other["location"] == address)
      try await server.get("\(address)/file", token: server.adminToken).expect(404)
      try await server.delete(address, token: server.adminToken).expect(204)
      try await server.get(address, token: server.adminToken).expect(404)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: server.folder.appending(path: "backups").path) == [])
      let metrics = try await server.metrics()
      #expect(
        metrics.value("mememe_backups_failed_total") == 0 && metrics.value("mememe_backups") == 0)
    }
  }

  @Test func `a backup without enough disk space gets 507 and counts as failed`() async throws {
    try await withLiveServer({ $0.diskFloorBytes = 1 << 50 }) { server in
      try await server.ask("POST", "/admin/backups", token: server.adminToken)
        .expect(507, problem: "storage-full")
      #expect(try await server.metrics().value("mememe_backups_failed_total") == 1)
      #expect(
        try await server.get("/admin/backups", token: server.adminToken).json.items.elements == [])
    }
  }

  @Test func `a damaged database fails the backup with a summary; only the log has details`()
    async throws
  {
    try await withDataFolder { folder in
      try await withLiveServer(in: folder) { _ = try await $0.make() }
      try await editDatabase(
        in: folder, "UPDATE pictures SET digest = zeroblob(32) WHERE role = 1")
      try await withLiveServer(in: folder) { server in
        let begun = try await server.ask("POST", "/admin/backups", token: server.adminToken)
        let address = try #require(begun.expect(202)["location"])
        var backup = begun.json
        while ["copying", "verifying"].contains(backup.state.text) {
          backup = try await server.get(address, token: server.adminToken).expect(200).json
        }
        #expect(backup.state.text == "failed")
        #expect(
          backup.problem.text
            == "Verification of the copy failed with 1 finding. Run mememe check to list the damage."
        )
        #expect(try server.log.contains("wrong-digest meme="))
        #expect(try await server.metrics().value("mememe_backups_failed_total") == 1)
        try await server.delete(address, token: server.adminToken).expect(204)
        #expect(
          try await server.get("/admin/backups", token: server.adminToken).json.items.elements
            == [])
      }
    }
  }

  @Test func `metrics describe completed backups`() async throws {
    try await withLiveServer { server in
      let before = try await server.metrics()
      #expect(before.value("mememe_backups") == 0 && before.value("mememe_backup_bytes") == 0)
      #expect(before.samples("mememe_backup_last_success_timestamp_seconds").isEmpty)
      let backup = try await server.backUp()
      let after = try await server.metrics()
      #expect(after.value("mememe_backups") == 1)
      #expect(after.value("mememe_backup_bytes") == Double(backup.byteCount.int ?? 0))
      let time = after.value("mememe_backup_last_success_timestamp_seconds")
      #expect(abs(time - Date().timeIntervalSince1970) < 60)
    }
  }

  @Test func `scheduled backups go to the configured folder and are pruned`() async throws {
    try await withDataFolder { folder in
      let backups = folder.appending(path: "elsewhere/deep")
      try await withLiveServer(
        in: folder,
        { settings in
          settings.backupFolder = backups.path
          settings.backupIntervalSeconds = 1
          (settings.backupKeepDays, settings.backupKeepWeeks) = (1, 0)
        }
      ) { server in
        var seen: Set<String> = []
        try await eventually("three backups were made") {
          let list = try await server.get("/admin/backups", token: server.adminToken).json
          #expect(list.intervalSeconds.int == 1)
          seen.formUnion(
            list.items.elements.filter { $0.state.text == "complete" }.compactMap(\.id.text))
          return seen.count >= 3
        }
        // Scheduled backups are not in the audit log.
        #expect(try await server.acts() == [])
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: backups.path)
      #expect((1...2).contains(left.count) && left.allSatisfy { $0.hasSuffix("Z.db") })
    }
  }
}

extension TestServer {
  /// Inserts large rows through a second database connection.
  fileprivate func fill(with bytes: [UInt8], rows: Int) async throws {
    let guest = try MemeDatabase.openAsGuest(
      at: folder.path,
      migrations: Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) })
    for _ in 0..<rows {
      try await guest.writer.transaction { db in
        try db.run("INSERT INTO blobs (bytes) VALUES (?)", bytes)
      }
    }
    await guest.close()
  }
}
