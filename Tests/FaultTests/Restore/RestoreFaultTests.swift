#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// Restores that are interrupted.
  @Suite(.serialized)
  struct RestoreFaultTests {
    @Test func `after kill -9 at any call of a restore, the folder is entirely old or new`()
      async throws
    {
      try await Scene.run { scene in
        var (call, outcomes): (Int, Set<Bool>) = (0, [])
        var isReached = true
        while isReached {
          try scene.anew()
          scene.machine.fail(.changes, after: call, times: 1, .kill)
          let (code, output) = try await scene.restore()
          isReached = scene.machine.failed > 0
          #expect(code == (isReached ? SIGKILL : 0), "\(call): \(output)")
          scene.machine.mend()
          let isRestored = try await scene.expectOneOrOther("call \(call)")
          #expect(isReached || isRestored)
          outcomes.insert(isRestored)
          call += Scale.isLong ? 1 : 13
        }
        #expect(call > 40 && outcomes == [true, false])
      }
    }

    @Test(arguments: [EIO, ENOSPC])
    func `after a failure at any call of a restore, the data is entirely old or new`(
      error: Int32
    ) async throws {
      try await Scene.run { scene in
        var (call, isReached) = (0, true)
        while isReached {
          try scene.anew()
          scene.machine.fail(.changes, after: call, times: 1, .fail, error)
          let (code, output) = try await scene.restore()
          isReached = scene.machine.failed > 0
          #expect(code == 0 || code == 1 && output.contains("mememe: "), "\(call): \(output)")
          scene.machine.mend()
          let isRestored = try await scene.expectOneOrOther("call \(call)")
          #expect(code != 0 || isRestored, "\(call): \(output)")
          call += Scale.isLong ? 1 : 31
        }
      }
    }

    @Test func `a restore needs no hard links`() async throws {
      try await Scene.run { scene in
        try scene.anew()
        scene.machine.fail(.link, .fail, EPERM)
        let (code, output) = try await scene.restore()
        #expect(code == 0 && scene.machine.failed == 1, "\(output)")
        scene.machine.mend()
        #expect(try await scene.expectOneOrOther("without hard links"))
        let points = scene.data.appending(path: "restore-points").path
        let names = try FileManager.default.contentsOfDirectory(atPath: points)
        let point = try #require(names.first { $0.hasSuffix("-before-restore.db") })
        let back = try await ServerProcess.run([
          "restore", "\(points)/\(point)", "--data", scene.data.path,
        ])
        #expect(back.code == 0, "\(back.output)")
      }
    }

    /// A folder that was in use, and a backup of another server.
    private struct Scene {
      let machine: FaultyMachine
      let data: URL
      private let before: URL
      private let backup: URL
      private let contents: (before: EarlierContents, wanted: EarlierContents)

      static func run(_ body: (Scene) async throws -> Void) async throws {
        try await withDataFolder { folder in
          let (before, other) = (
            folder.appending(path: "before"), folder.appending(path: "other")
          )
          for (place, more) in [(before, 0), (other, 5)] {
            try await EarlierVersion.latest.make(in: place, more: more)
          }
          let contents = (
            before: try await EarlierVersion.latest.contents(of: before),
            wanted: try await EarlierVersion.latest.contents(of: other)
          )
          try Data(repeating: 1, count: 32).write(to: before.appending(path: "secret-key"))
          try Data("token-of-before!".utf8).write(to: before.appending(path: "admin-token"))
          for name in ["secret-key", "admin-token"] {
            try FileManager.default.setAttributes(
              [.posixPermissions: 0o600], ofItemAtPath: before.appending(path: name).path)
          }
          try await editDatabase(
            in: other,
            """
            CREATE TABLE backup (
              id BLOB NOT NULL, taken_at INTEGER NOT NULL, verified_at INTEGER, program TEXT NOT NULL,
              secret_key BLOB NOT NULL, admin_token TEXT
            ) STRICT
            """)
          let key = String(repeating: "02", count: 32)
          try await editDatabase(
            in: other,
            "INSERT INTO backup VALUES (randomblob(16), 5, 6, '1', x'\(key)', 'token-of-backup!')")
          try await body(
            Scene(
              machine: try FaultyMachine(in: folder.appending(path: "machine")),
              data: folder.appending(path: "data"), before: before,
              backup: other.appending(path: "mememe.db"), contents: contents))
        }
      }

      func anew() throws {
        machine.mend()
        try? FileManager.default.removeItem(at: data)
        try FileManager.default.copyItem(at: before, to: data)
      }

      func restore() async throws -> (code: Int32, output: String) {
        try await ServerProcess.run(
          ["restore", backup.path, "--data", data.path],
          environment: machine.environment(data: data))
      }

      /// - Returns: whether the folder holds the data of the backup.
      func expectOneOrOther(_ what: String) async throws -> Bool {
        let server = try await ServerProcess(data: data)
        #expect(try await server.end(by: SIGTERM) == 0)
        let found = try await EarlierVersion.latest.contents(of: data)
        let isRestored = found.rows["memes"]?.count == contents.wanted.rows["memes"]?.count
        let wanted = isRestored ? contents.wanted : contents.before
        // A server may have removed unfinished uploads and the remains of deleted accounts.
        for table in ["memes", "pictures", "users", "changes", "comments", "audit"] {
          #expect(
            found.rows[table]?.sorted() == wanted.rows[table]?.sorted(), "\(what): \(table)")
        }
        #expect(found.rows["backup"] == nil, "\(what)")
        let isOtherEpoch = found.rows["epochs"] != contents.before.rows["epochs"]
        #expect(isOtherEpoch == isRestored, "\(what)")
        let key = try Data(contentsOf: data.appending(path: "secret-key"))
        #expect(key == Data(repeating: isRestored ? 2 : 1, count: 32), "\(what)")
        let token = try String(contentsOf: data.appending(path: "admin-token"), encoding: .utf8)
        #expect(token.hasPrefix(isRestored ? "token-of-backup!" : "token-of-before!"), "\(what)")
        let (checked, findings) = try await ServerProcess.run([
          "check", "--decode", "--data", data.path,
        ])
        #expect(checked == 0, "\(what): \(findings)")
        let names = try FileManager.default.contentsOfDirectory(atPath: data.path)
        #expect(!names.contains { $0.contains(".new") || $0.hasSuffix(".part") }, "\(names)")
        #expect(!names.contains("restore-pending"), "\(what)")
        return isRestored
      }
    }
  }
#endif
