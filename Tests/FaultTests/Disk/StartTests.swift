#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// A disk that fails while a server starts, or that is read-only.
  @Suite(.serialized)
  struct StartTests {
    /// Every call in the long run, and some calls in the short one.
    private static let stride = Scale.isLong ? 1 : 23

    @Test(arguments: Scale.isLong ? [EIO, ENOSPC, EROFS] : [EIO])
    func `a start that fails at any call ends with a reason, and the next one works`(
      error: Int32
    ) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-start-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let machine = try FaultyMachine(in: folder.appending(path: "machine"))
      var call = 0
      var isReached = true
      while isReached {
        let data = folder.appending(path: "data-\(call)")
        let environment = machine.environment(data: data)
        machine.fail(.changes, after: call, times: 1, .fail, error)
        let server = try ServerProcess(launching: data, settings: environment)
        do {
          try await server.ready()
          // The failed call was not needed, or the fault was not reached. Then the first request may reach it, but not
          // the second.
          let first = try await server.get("/memes")
          #expect(first.status == 200 || machine.failed > 0 && [500, 507].contains(first.status))
          try await server.get("/memes").expect(200)
          #expect(try await server.end(by: SIGTERM) == 0)
        } catch {
          #expect(try await server.ended() == 1, "call \(call): \(server.log)")
          #expect(server.log.contains("mememe: "), "call \(call): \(server.log)")
        }
        isReached = machine.failed > 0
        machine.mend()
        let next = try await ServerProcess(data: data, settings: environment)
        try await next.readiness(becoming: 200).expect(200)
        #expect(try await next.end(by: SIGTERM) == 0)
        call += Self.stride
      }
      #expect(call > 10)
    }

    @Test func `a database that cannot be opened now is not reported as damaged`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-start-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let data = folder.appending(path: "data")
      let machine = try FaultyMachine(in: folder.appending(path: "machine"))
      let environment = machine.environment(data: data)
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      var (call, failures) = (0, 0)
      repeat {
        let migrated = try await ServerProcess.run(["migrate", "--data", data.path])
        #expect(migrated.code == 0)
        machine.fail(.open, on: [.database, .wal, .shm], after: call, .fail, EMFILE)
        let (code, output) = try await ServerProcess.run(
          ["migrate", "--data", data.path], environment: environment)
        if code != 0 { failures += 1 }
        #expect(!output.contains("corrupt"), "call \(call): \(output)")
        call += 1
      } while machine.failed > 0
      #expect(failures > 2)
    }

    @Test func `a read-only folder is rejected with the reason`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-start-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let data = folder.appending(path: "data")
      let machine = try FaultyMachine(in: folder.appending(path: "machine"))
      let first = try await ServerProcess(data: data, settings: machine.environment(data: data))
      #expect(try await first.end(by: SIGTERM) == 0)
      machine.fail(.changes, .fail, EROFS)
      let second = try ServerProcess(launching: data, settings: machine.environment(data: data))
      #expect(try await second.ended() == 1)
      #expect(second.log.contains("Read-only file system"), "\(second.log)")
    }

    @Test func `a first start needs no hard links`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-start-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let data = folder.appending(path: "data")
      let machine = try FaultyMachine(in: folder.appending(path: "machine"))
      machine.fail(.link, .fail, EPERM)
      for isFirst in [true, false] {
        let server = try await ServerProcess(data: data, settings: machine.environment(data: data))
        #expect(try await server.end(by: SIGTERM) == 0)
        #expect(machine.failed == 2)
        let names = try FileManager.default.contentsOfDirectory(atPath: data.path)
        #expect(Set(names).isSuperset(of: ["secret-key", "admin-token"]), "first: \(isFirst)")
        #expect(!names.contains { $0.hasSuffix(".new") })
      }
    }

    @Test func `a clock that is set back changes neither the order nor the data`()
      async throws
    {
      try await Witness.run { witness in
        var ids: [String] = []
        for seconds in [0, -86_400, -86_400 * 400, 3600, -60] {
          witness.machine.setClock(aheadSeconds: seconds)
          ids.append(try await witness.upload().expect(201).json.id.text ?? "")
          try await witness.expectReads()
        }
        let list = try await witness.server.get("/memes").expect(200).json
        #expect(list.items.elements.compactMap(\.id.text) == ids.reversed())
        let (answer, _) = try await witness.delete()
        answer.expect(204)
        try await witness.server.readiness(becoming: 200).expect(200)
      }
    }
  }
#endif
