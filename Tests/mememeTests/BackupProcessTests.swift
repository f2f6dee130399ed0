import Eventually
import Foundation
import SQL
import SQLite
import Support
import Synchronization
import Testing
import Wire

/// Backups by separate processes: under load, interrupted, and with the command.
struct BackupProcessTests {
  private static let token = "an-admin-token-for-tests"
  private static let settings = ["MEMEME_ADMIN_TOKEN": token]

  @Test func `a backup under load has everything acknowledged before it began`() async throws {
    try await withDataFolder { folder in
      let data = folder.appending(path: "data")
      let server = try await ServerProcess(data: data, settings: Self.settings)
      let ledger = LoadLedger()
      var made: [(name: String, before: [String: LoadLedger.Entry])] = []
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { ledger.close() }
        for writer in 0..<6 {
          group.addTask { try await ledger.write(to: server, as: writer) }
        }
        try await eventually("30 memes are acknowledged") { ledger.entries.count >= 30 }
        for _ in 0..<3 {
          let before = ledger.entries
          let count = before.count
          let backup = try await server.backUp(token: Self.token)
          #expect(backup.state.text == "complete", "\(backup)")
          let name = try #require(backup.fileName.text)
          // Retention keeps one backup a day.
          try FileManager.default.copyItem(
            at: data.appending(path: "backups/\(name)"), to: folder.appending(path: name))
          made.append((name, before))
          try await eventually("10 more memes are acknowledged") {
            ledger.entries.count >= count + 10
          }
        }
        ledger.close()
        try await group.waitForAll()
      }
      #expect(try await server.end(by: SIGTERM) == 0)
      for (name, before) in made {
        let restored = folder.appending(path: "restored-\(name)")
        try FileManager.default.createDirectory(
          at: restored, withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o700])
        try FileManager.default.moveItem(
          at: folder.appending(path: name), to: restored.appending(path: "mememe.db"))
        let check = try await ServerProcess.run(["check", "--decode", "--data", restored.path])
        #expect(check.code == 0, "\(check.output)")
        let again = try await ServerProcess(data: restored, settings: Self.settings)
        for (url, entry) in before {
          if entry.isDeleted {
            try await again.get(url).expect(410)
          } else {
            // The meme may have been deleted before the copy was complete.
            let answer = try await again.get("\(url)/image")
            if answer.status == 410, ledger.entries[url]?.isDeleted == true { continue }
            #expect(answer.expect(200).response.body == entry.image)
          }
        }
        #expect(try await again.end(by: SIGTERM) == 0)
      }
      #expect(made.count == 3 && made.allSatisfy { !$0.before.isEmpty })
    }
  }

  @Test func `a stop cancels a running backup and removes its file`() async throws {
    try await withLargeFolder { folder in
      let server = try await ServerProcess(data: folder, settings: Self.settings)
      // A process of its own: threads of a busy test run may wait until the backup is complete.
      let begun = try await blocking { [port = server.port, pid = server.processID] in
        try Python.run(
          """
          import json, os, signal, sys, urllib.request
          port, token, pid = sys.argv[1:]
          headers = {"Authorization": f"Bearer {token}"}
          request = urllib.request.Request(
            f"http://127.0.0.1:{port}/admin/backups", method="POST", headers=headers)
          state = json.load(urllib.request.urlopen(request))["state"]
          os.kill(int(pid), signal.SIGTERM)
          print(state, end="")
          """, "\(port)", Self.token, "\(pid)")
      }
      #expect(begun.elementsEqual("copying".utf8))
      #expect(try await server.ended() == 0)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: folder.appending(path: "backups").path) == [])
      #expect(server.log.contains("The backup was canceled."))
    }
  }

  @Test func `the command creates a backup without a server and prints its path`() async throws {
    try await withDataFolder { folder in
      let none = try await ServerProcess.run(["backup", "--data", folder.path])
      #expect(none.code == 1 && none.output.contains("no mememe.db in"))
      try await withServer(in: folder) { _ = try await $0.make() }
      let (code, output) = try await ServerProcess.run(["backup", "--data", folder.path])
      #expect(code == 0, "\(output)")
      let path = try #require(output.split(separator: "\n").last)
      #expect(path.hasPrefix("\(folder.path)/backups/mememe-") && path.hasSuffix("Z.db"))
      #expect(FileManager.default.fileExists(atPath: String(path)))
      #expect(output.contains("ing: 100 %, "))
      // Both the database and the copy have the audit entry.
      try await withServer(in: folder) { server in
        let acts = try await server.acts()
        #expect(acts.first?.hasPrefix("command create-backup ") == true)
      }
      try ClosedDatabase.edit(folder.appending(path: "mememe.db").path) { db in
        try db.run("DELETE FROM migrations WHERE version > 20")
        try db.run("PRAGMA user_version = 20")
      }
      let refused = try await ServerProcess.run(["backup", "--data", folder.path])
      #expect(refused.code == 1 && refused.output.contains("Run mememe migrate"), "\(refused)")
    }
  }

  @Test func `with a running server the command requests the backup with the admin token`()
    async throws
  {
    try await withDataFolder { folder in
      let server = try await ServerProcess(data: folder)
      _ = try await server.post(FormBody([.file("image", try Fixture.moving.bytes)])).expect(201)
      let port = "\(server.port)"
      for _ in 0..<2 {
        let (code, output) = try await ServerProcess.run(
          ["backup", "--data", folder.path, "--port", port])
        #expect(code == 0, "\(output)")
        let path = try #require(output.split(separator: "\n").last)
        #expect(path.hasSuffix("Z.db") && FileManager.default.fileExists(atPath: String(path)))
      }
      let wrong = try await ServerProcess.run(
        ["backup", "--data", folder.path, "--port", port, "--admin-token", "0123456789abcdef"])
      #expect(wrong.code == 1)
      #expect(
        wrong.output.contains("MEMEME_ADMIN_TOKEN or --admin-token is not that of the server at"),
        "\(wrong.output)")
      // No server listens on port 1.
      let nobody = try await ServerProcess.run(
        ["backup", "--data", folder.path, "--port", "1"])
      #expect(
        nobody.code == 1 && nobody.output.contains("no server responds at http://127.0.0.1:1"))
      try FileManager.default.removeItem(at: folder.appending(path: "admin-token"))
      let without = try await ServerProcess.run(
        ["backup", "--data", folder.path, "--port", port])
      #expect(without.code == 1 && without.output.contains("MEMEME_ADMIN_TOKEN"))
      #expect(try await server.end(by: SIGTERM) == 0)
      #expect(
        try FileManager.default.contentsOfDirectory(
          atPath: folder.appending(path: "backups").path
        ).allSatisfy { $0.hasSuffix("Z.db") })
    }
  }

  @Test func `the command prints no path of a folder that only the server knows`() async throws {
    try await withDataFolder { folder in
      let (data, backups) = (folder.appending(path: "data"), folder.appending(path: "elsewhere"))
      let server = try await ServerProcess(data: data, settings: ["MEMEME_BACKUPS": backups.path])
      let arguments = ["backup", "--data", data.path, "--port", "\(server.port)"]
      let without = try await ServerProcess.run(arguments)
      #expect(without.code == 0 && without.output.contains("Set MEMEME_BACKUPS"), "\(without)")
      #expect(!without.output.contains("\(data.path)/backups/"), "\(without)")
      let with = try await ServerProcess.run(arguments + ["--backups", backups.path])
      let path = try #require(with.output.split(separator: "\n").last)
      #expect(with.code == 0 && path.hasPrefix("\(backups.path)/mememe-"), "\(with)")
      #expect(FileManager.default.fileExists(atPath: String(path)))
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `with an HTTPS server the command uses HTTPS`() async throws {
    try await withDataFolder { folder in
      let settings = [
        "MEMEME_TLS_CERT": TestIdentity.certificate.path,
        "MEMEME_TLS_KEY": TestIdentity.key.path,
      ]
      let data = folder.appending(path: "data")
      let server = try await ServerProcess(data: data, settings: settings)
      let arguments = ["--data", data.path, "--port", "\(server.port)"]
      let health = try await ServerProcess.run(["healthcheck"] + arguments, environment: settings)
      #expect(health.code == 0, "\(health.output)")
      let (code, output) = try await ServerProcess.run(
        ["backup"] + arguments, environment: settings)
      #expect(code == 0 && output.hasSuffix("Z.db\n"), "\(output)")
      // Without TLS settings the command uses plain HTTP, which the server does not accept.
      #expect(try await ServerProcess.run(["healthcheck"] + arguments).code == 1)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}

extension ServerProcess {
  /// Creates a backup and waits until it ends.
  fileprivate func backUp(token: String) async throws -> JSON {
    let begun = try await json("POST", "/admin/backups", nil, token: token).expect(202)
    let address = begun["location"] ?? ""
    var backup = begun.json
    try await eventually("the backup is over") {
      backup = try await json("GET", address, nil, token: token).expect(200).json
      return !["copying", "verifying"].contains(backup.state.text)
    }
    return backup
  }
}

/// Calls `body` with a folder whose database takes some time to copy and verify.
private func withLargeFolder(_ body: (URL) async throws -> Void) async throws {
  try await withDataFolder { folder in
    try await editDatabase(
      in: folder,
      """
      WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 120)
      INSERT INTO audit (at, actor, act, details)
      SELECT n, 'token', 'suspend', '{"reason":"' || hex(randomblob(1000000)) || '"}' FROM many
      """)
    try await body(folder)
  }
}

/// The acknowledged creations and deletions of memes.
private final class LoadLedger: Sendable {
  struct Entry {
    let image: [UInt8]
    var isDeleted = false
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var isOver = false
  }

  private let state = Mutex(State())

  var entries: [String: Entry] { state.withLock { $0.entries } }

  func close() { state.withLock { $0.isOver = true } }

  /// Creates memes one after another, and deletes every fourth.
  func write(to server: ServerProcess, as writer: Int) async throws {
    let picture = try Fixture.moving.bytes
    for turn in 0... {
      if state.withLock({ $0.isOver }) { return }
      let form = FormBody([
        .file("image", picture), .field("top", "\(writer) \(turn)"), .field("format", "jpeg"),
      ])
      let request = """
        POST /memes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: image/*\r
        Content-Type: \(form.contentType)\r\nContent-Length: \(form.bytes.count)\r\n\r\n
        """
      let answer = try await server.send(Array(request.utf8) + form.bytes).expect(201)
      let url = try #require(answer["location"])
      state.withLock { $0.entries[url] = Entry(image: answer.response.body) }
      guard turn % 4 == 3 else { continue }
      let token = try #require(answer["meme-delete-token"])
      // The meme may be gone from here on, and is gone once the deletion is acknowledged.
      try await server.delete(url, token: token).expect(204)
      state.withLock { $0.entries[url]?.isDeleted = true }
    }
  }
}
