import Eventually
import Foundation
import Support
import Synchronization
import Testing
import Wire

/// `mememe restore`.
struct RestoreTests {
  @Test func `a backup made under load restores everything acknowledged before it began`()
    async throws
  {
    try await withFolder { folder in
      let data = folder.url.appending(path: "data")
      let server = try await ServerProcess(data: data)
      let form = FormBody([.file("image", try Fixture.moving.bytes), .field("top", "x")])
      let acknowledged = Mutex<[(id: String, token: String)]>([])
      let uploading = Task {
        while !Task.isCancelled {
          let meme = try await server.post(form).expect(201).json
          if let id = meme.id.text, let token = meme.deleteToken.text {
            acknowledged.withLock { $0.append((id, token)) }
          }
        }
      }
      try await eventually("20 memes are acknowledged") {
        acknowledged.withLock { $0.count } >= 20
      }
      let before = acknowledged.withLock { $0 }
      let file = try await backup(of: server, in: data)
      uploading.cancel()
      _ = try? await uploading.value
      #expect(acknowledged.withLock { $0.count } > before.count)
      _ = try await server.end(by: SIGKILL)

      let other = folder.url.appending(path: "other")
      let (code, output) = try await ServerProcess.run(["restore", file.path, "--data", other.path])
      #expect(code == 0, "\(output)")
      #expect(output.contains("Restored \(other.path) from \(file.path), made at 20"))
      #expect(!output.contains("The previous data"))
      let (checked, findings) = try await ServerProcess.run([
        "check", "--decode", "--data", other.path,
      ])
      #expect(checked == 0, "\(findings)")
      let restored = try await ServerProcess(data: other)
      for meme in before { try await restored.get("/memes/\(meme.id)").expect(200) }
      // Tokens issued earlier are still valid.
      try await restored.delete("/memes/\(before[0].id)", token: before[0].token).expect(204)
      let admin = try String(contentsOf: data.appending(path: "admin-token"), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      try await restored.delete("/memes/\(before[1].id)", token: admin).expect(204)
      for name in ["mememe.db", "secret-key", "admin-token"] {
        let mode = try FileManager.default.attributesOfItem(
          atPath: other.appending(path: name).path)[.posixPermissions]
        #expect(mode as? Int == 0o600, "\(name)")
      }
      _ = try await restored.end(by: SIGTERM)
    }
  }

  private func backup(of server: ServerProcess, in data: URL) async throws -> URL {
    let admin = try String(contentsOf: data.appending(path: "admin-token"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let begun = try await server.json("POST", "/admin/backups", nil, token: admin).expect(202)
    let id = try #require(begun.json.id.text)
    for _ in 0..<2000 {
      let answer = try await server.json("GET", "/admin/backups/\(id)", nil, token: admin)
      let backup = answer.expect(200).json
      try #require(backup.state.text != "failed", "\(backup)")
      if backup.state.text == "complete", let name = backup.fileName.text {
        return data.appending(path: "backups/\(name)")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("no backup: \(server.log)")
    throw CancellationError()
  }

  @Test func `the previous database is kept and can be restored completely`() async throws {
    try await withFolder { folder in
      let latest = EarlierVersion.latest
      let (data, other) = (
        folder.url.appending(path: "data"), folder.url.appending(path: "other")
      )
      try await latest.make(in: data, more: 3)
      try await latest.make(in: other)
      for (place, key) in [(data, "a"), (other, "b")] {
        try Data(repeating: UInt8(key.utf8.first ?? 0), count: 32).write(
          to: place.appending(path: "secret-key"))
      }
      let (before, wanted) = (
        try await latest.contents(of: data), try await latest.contents(of: other)
      )
      let source = other.appending(path: "mememe.db")
      let (code, output) = try await ServerProcess.run([
        "restore", source.path, "--data", data.path,
      ])
      #expect(code == 0, "\(output)")
      try await expect(data, latest, wanted)
      // The source is not a backup, so it has no key.
      #expect(try Data(contentsOf: data.appending(path: "secret-key")).first == 97)

      let point = try #require(CheckedFolder(url: data).restorePoints.first)
      #expect(output.contains("mememe restore \(point.path) --data \(data.path)"))
      #expect(try await ServerProcess.run(["restore", point.path, "--data", data.path]).code == 0)
      try await expect(data, latest, before)
      #expect(try Data(contentsOf: data.appending(path: "secret-key")).first == 97)
      #expect(
        try await ServerProcess.run(["check", "--decode", "--data", data.path]).code == 0)
    }
  }

  private func expect(
    _ folder: URL, _ version: EarlierVersion, _ wanted: EarlierContents,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await version.contents(of: folder)
    for (table, rows) in wanted.rows {
      // Each restore adds its own epoch.
      #expect(
        (found.rows[table]?.sorted() == rows.sorted()) != (table == "epochs"), "\(table)",
        sourceLocation: sourceLocation)
    }
    #expect(found.rows.keys.sorted() == wanted.rows.keys.sorted(), sourceLocation: sourceLocation)
  }

  @Test func `a copy of an earlier version is migrated, and its file stays unchanged`()
    async throws
  {
    try await withFolder { folder in
      let (data, other) = (
        folder.url.appending(path: "data"), folder.url.appending(path: "other")
      )
      let version = EarlierVersion(12)
      try await version.make(in: other)
      let before = try await version.contents(of: other)
      let source = other.appending(path: "mememe.db")
      let bytes = try Data(contentsOf: source)
      let (code, output) = try await ServerProcess.run([
        "restore", source.path, "--data", data.path,
      ])
      #expect(code == 0, "\(output)")
      #expect(try Data(contentsOf: source) == bytes)
      let after = try await version.contents(of: data, columns: before.columns)
      for (table, rows) in before.rows where table != "migrations" {
        #expect(after.rows[table]?.sorted() == rows.sorted(), "\(table)")
      }
      #expect(try await ServerProcess.run(["check", "--decode", "--data", data.path]).code == 0)
    }
  }

  @Test func `an unusable copy is rejected and nothing changes`() async throws {
    try await withMemes { folder, _, _ in
      let data = folder.url.appending(path: "data")
      try await EarlierVersion.latest.make(in: data)
      let whole = try Data(contentsOf: folder.database)
      let present = try Data(contentsOf: data.appending(path: "mememe.db"))
      let file = folder.url.appending(path: "copy.db")
      let cases: [(reason: String, make: (CheckedFolder) throws -> Void)] = [
        ("No such file or directory", { _ in try FileManager.default.removeItem(at: file) }),
        ("is corrupt or not a database", { _ in try Data("nonsense".utf8).write(to: file) }),
        ("is empty", { _ in try Data().write(to: file) }),
        (
          "is corrupt or not a database",
          { _ in
            var bytes = whole
            // After the header of 100 bytes: the page with the schema.
            bytes.replaceSubrange(100..<400, with: Data(repeating: 0xA5, count: 300))
            try bytes.write(to: file)
          }
        ),
        (
          "failed verification with 1 finding",
          { try $0.execute("UPDATE blobs SET bytes = zeroblob(length(bytes)) WHERE id = 1") }
        ),
        ("is the database of another program", { try $0.execute("PRAGMA application_id = 7") }),
        ("Restore it with a newer MemeMe", { try $0.execute("PRAGMA user_version = 99") }),
        (
          "a different migration 0002_trash.sql",
          { try $0.execute("UPDATE migrations SET sql = '' WHERE version = 2") }
        ),
      ]
      for (reason, make) in cases {
        try whole.write(to: file)
        try make(CheckedFolder(url: folder.url, name: "copy.db"))
        let (code, output) = try await ServerProcess.run(
          ["restore", file.path, "--data", data.path])
        #expect(code == 1 && output.contains(reason), "\(reason): \(output)")
        #expect(output.contains("Nothing was changed."), "\(output)")
        #expect(try Data(contentsOf: data.appending(path: "mememe.db")) == present)
        let names = try FileManager.default.contentsOfDirectory(atPath: data.path).sorted()
        #expect(names.filter { $0.contains("new") || $0.contains("restore") }.isEmpty, "\(names)")
      }
    }
  }

  @Test func `a copy that fails verification is restored only with --damaged`() async throws {
    try await withMemes { folder, id, _ in
      try folder.execute("UPDATE blobs SET bytes = zeroblob(length(bytes)) WHERE id = 1")
      let data = folder.url.appending(path: "data")
      let (code, output) = try await ServerProcess.run(
        ["restore", folder.database.path, "--damaged", "--data", data.path])
      #expect(code == 0)
      #expect(output.contains("wrong-digest meme=\(id) picture=original: "), "\(output)")
    }
  }

  @Test func `an unreadable database is replaced, and kept with its WAL`() async throws {
    try await withFolder { folder in
      let (data, other) = (
        folder.url.appending(path: "data"), folder.url.appending(path: "other")
      )
      try await EarlierVersion.latest.make(in: other)
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      try Data("nonsense".utf8).write(to: data.appending(path: "mememe.db"))
      try Data("log".utf8).write(to: data.appending(path: "mememe.db-wal"))
      let (code, output) = try await ServerProcess.run(
        ["restore", other.appending(path: "mememe.db").path, "--data", data.path])
      #expect(code == 0, "\(output)")
      #expect(try await ServerProcess.run(["check", "--decode", "--data", data.path]).code == 0)
      let points = CheckedFolder(url: data).restorePoints
      #expect(
        points.map { $0.lastPathComponent.split(separator: "Z")[1] } == [
          "-before-restore.db", "-before-restore.db-wal",
        ])
      #expect(try Data(contentsOf: points[0]) == Data("nonsense".utf8))
      #expect(try Data(contentsOf: points[1]) == Data("log".utf8))
    }
  }

  @Test func `a restore next to a running server is rejected`() async throws {
    try await withServer { server in
      try await withMemes { folder, _, _ in
        let (code, output) = try await ServerProcess.run(
          ["restore", folder.database.path, "--data", server.folder.path])
        #expect(code == 1 && output.contains("another server (process "), "\(output)")
      }
    }
  }

  @Test(arguments: [[], ["--damaged"], ["--data", "x"]])
  func `without a file the command prints its usage`(words: [String]) async throws {
    let (code, output) = try await ServerProcess.run(["restore"] + words)
    #expect(code == 2 && output.contains("usage: mememe restore FILE"))
  }
}
