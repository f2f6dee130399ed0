#if os(Linux)
  import Eventually
  import Foundation
  import Support
  import Testing
  import Wire

  /// Moves that are interrupted.
  @Suite(.serialized)
  struct MoveFaultTests {
    @Test func `after kill -9 at any call of a move to a folder, the next run completes it`()
      async throws
    {
      try await Scene.run { scene in
        #expect(try await scene.toServer().code == 0)
        var (call, ends): (Int, Set<Int32>) = (0, [])
        var isReached = true
        while isReached {
          try? FileManager.default.removeItem(at: scene.copy)
          scene.machine.fail(.changes, after: call, times: 1, .kill)
          let (code, output) = try await scene.toFolder()
          isReached = scene.machine.failed > 0
          #expect(code == (isReached ? SIGKILL : 0), "\(call): \(output)")
          scene.machine.mend()
          if isReached { ends.insert(try await scene.expectNoServer("call \(call)")) }
          let again = try await scene.toFolder()
          // The last calls come after the end of the move.
          #expect(again.code == 0 || scene.isComplete(again), "\(call): \(again)")
          try await scene.expectComplete("call \(call)")
          call += Scale.isLong ? 1 : 37
        }
        #expect(call > 80 && ends.contains(1), "\(call)")
      }
    }

    @Test(arguments: [EIO, ENOSPC])
    func `after a failure at any call of a move to a folder, the next run completes it`(
      error: Int32
    ) async throws {
      try await Scene.run { scene in
        #expect(try await scene.toServer().code == 0)
        var (call, isReached) = (0, true)
        while isReached {
          try? FileManager.default.removeItem(at: scene.copy)
          scene.machine.fail(.changes, after: call, times: 1, .fail, error)
          let (code, output) = try await scene.toFolder()
          isReached = scene.machine.failed > 0
          #expect(code == 0 || output.contains("mememe: "), "\(call): \(output)")
          scene.machine.mend()
          if code != 0 {
            let again = try await scene.toFolder()
            #expect(again.code == 0 || scene.isComplete(again), "\(call): \(again)")
          }
          try await scene.expectComplete("call \(call)")
          call += Scale.isLong ? 1 : 61
        }
      }
    }

    @Test func `after kill -9 at any read of a move to PostgreSQL, the next run completes it`()
      async throws
    {
      try await Scene.run { scene in
        var (call, isReached, unfinished) = (0, true, 0)
        while isReached {
          let database = try scene.server.makeDatabase()
          scene.machine.fail(.read, on: .database, after: call, times: 1, .kill)
          let (code, output) = try await scene.toServer(database)
          isReached = scene.machine.failed > 0
          #expect(code == (isReached ? SIGKILL : 0), "\(call): \(output)")
          scene.machine.mend()
          if isReached {
            let marks = try? scene.server.run("SELECT count(*) FROM moves", in: database)
            if marks == "1\n" { unfinished += 1 }
            let again = try await scene.toServer(database)
            #expect(again.code == 0, "\(call): \(again)")
          }
          #expect(try scene.server.run("SELECT count(*) FROM moves", in: database) == "0\n")
          let checked = try await scene.check(database)
          #expect(checked.code == 0, "\(call): \(checked)")
          try scene.server.drop(database)
          call += Scale.isLong ? 1 : 29
        }
        #expect(unfinished > 1, "\(unfinished) of \(call)")
      }
    }

    @Test func `after the end of PostgreSQL, the next run completes the move`() async throws {
      try await Scene.run(with: try PostgreSQLServer(isDurable: true)) { scene in
        #expect(try await scene.migrate().code == 0)
        // A lock of another program stops the move in its transaction. Then the server ends.
        let database = scene.database
        async let locked: String? = blocking {
          try? scene.server.run(
            "BEGIN; LOCK TABLE meme_words; SELECT pg_sleep(600)", in: database)
        }
        func locks(_ condition: String) throws -> Bool {
          try scene.server.run(
            """
            SELECT count(*) FROM pg_locks
            WHERE relation = 'meme_words'::regclass AND mode = 'AccessExclusiveLock' AND \(condition)
            """, in: database) == "1\n"
        }
        try await eventually("the table is locked") { try locks("granted") }
        // The move waits for two seconds. PostgreSQL itself looks for it, because on a busy machine each look of
        // another process takes longer.
        async let waits: String? = blocking {
          try scene.server.run(
            """
            SET statement_timeout = '60s';
            DO $$ BEGIN
              WHILE NOT EXISTS (
                SELECT 1 FROM pg_locks WHERE relation = 'meme_words'::regclass AND NOT granted
              ) LOOP PERFORM pg_sleep(0.01); END LOOP;
            END $$
            """, in: database)
        }
        async let moved = scene.toServer()
        _ = try await waits
        try scene.server.kill()
        let (code, output) = try await moved
        #expect(code == 1, "\(output)")
        _ = try await locked
        try scene.server.start()
        #expect(try scene.server.run("SELECT count(*) FROM moves", in: database) == "1\n")
        let again = try await scene.toServer()
        #expect(again.code == 0, "\(again)")
        #expect(try await scene.check(scene.database).code == 0)
        try scene.server.close()
      }
    }

    /// A data folder, a database, and another data folder.
    private struct Scene {
      let machine: FaultyMachine
      let server: PostgreSQLServer
      let database: String
      let folder: URL

      var original: URL { folder.appending(path: "original") }
      var copy: URL { folder.appending(path: "copy") }

      static func run(
        with server: PostgreSQLServer? = nil, _ body: (Scene) async throws -> Void
      ) async throws {
        let server = try server ?? PostgreSQLServer.shared()
        try await withDataFolder { folder in
          let scene = Scene(
            machine: try FaultyMachine(in: folder.appending(path: "machine")), server: server,
            database: try server.makeDatabase(), folder: folder)
          try await EarlierVersion.latest.make(in: scene.original, more: 10)
          let key = scene.original.appending(path: "secret-key")
          try Data(repeating: 1, count: 32).write(to: key)
          try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: key.path)
          try await body(scene)
        }
      }

      private func settings(_ database: String) -> [String: String] {
        [
          "MEMEME_DATABASE": server.address(of: database),
          "MEMEME_SECRET_KEY_FILE": original.appending(path: "secret-key").path,
        ]
      }

      func toServer(_ database: String? = nil) async throws -> (code: Int32, output: String) {
        try await ServerProcess.run(
          ["move", "--to", server.address(of: database ?? self.database), "--data", original.path],
          environment: machine.environment(data: original))
      }

      func migrate() async throws -> (code: Int32, output: String) {
        try await ServerProcess.run(
          ["migrate", "--data", folder.appending(path: "scratch").path],
          environment: settings(database))
      }

      func toFolder() async throws -> (code: Int32, output: String) {
        try await ServerProcess.run(
          ["move", "--to-folder", copy.path, "--data", folder.appending(path: "scratch").path],
          environment: settings(database).merging(machine.environment(data: copy)) { $1 })
      }

      func check(_ database: String) async throws -> (code: Int32, output: String) {
        try await ServerProcess.run(
          ["check", "--data", folder.appending(path: "scratch").path],
          environment: settings(database))
      }

      /// Whether a run was refused because the one before it had finished.
      func isComplete(_ run: (code: Int32, output: String)) -> Bool {
        run.code == 2 && run.output.contains("the target is not empty")
      }

      /// A server must not start with rows that are not complete. It may with an empty folder.
      ///
      /// - Returns: the exit code of a command that opens the folder.
      func expectNoServer(_ what: String) async throws -> Int32 {
        // Opens the database as a server does, but makes none.
        let (code, output) = try await ServerProcess.run(["user", "list", "--data", copy.path])
        // No database yet, an unfinished move, or all of it.
        #expect(
          code == 0 || output.contains("no mememe.db in") || output.contains("an unfinished move")
            || output.contains("Run mememe migrate"), "\(what): \(output)")
        return output.contains("an unfinished move") ? 1 : 0
      }

      func expectComplete(_ what: String) async throws {
        let (code, output) = try await ServerProcess.run(["check", "--data", copy.path])
        #expect(code == 0, "\(what): \(output)")
        let (found, wanted) = (
          try await EarlierVersion.latest.contents(of: copy),
          try await EarlierVersion.latest.contents(of: original)
        )
        for (table, rows) in wanted.rows
        where !["blobs", "discarded_blobs", "epochs", "meme_words"].contains(table) {
          #expect(found.rows[table]?.sorted() == rows.sorted(), "\(what): \(table)")
        }
      }
    }
  }
#endif
