#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// Backups on a disk that fails, or is full, during the backup.
  @Suite(.serialized)
  struct BackupFaultTests {
    /// The number of changing calls that are made to fail, one after the other.
    private static let tries = Scale.isLong ? 1000 : 12

    @Test(arguments: [(ENOSPC, "The disk is full."), (EIO, "The backup failed.")])
    func `whichever call fails, a backup is whole or absent, and the server goes on`(
      error: Int32, sentence: String
    ) async throws {
      try await Witness.run { witness in
        for _ in 0..<8 { try await witness.upload(bytes: 200_000).expect(201) }
        let folder = witness.data.appending(path: "backups").path
        witness.machine.fail([.write, .sync], on: .other, times: 0)
        #expect(try await backUp(witness.server).state.text == "complete")
        let calls = witness.machine.seen
        #expect(calls > 20)
        var failures = 0
        for call in stride(from: 0, to: calls, by: max(1, calls / Self.tries)) {
          let before = try FileManager.default.contentsOfDirectory(atPath: folder)
          witness.machine.fail(
            [.write, .sync], on: .other, after: call, times: 1, .fail, error)
          let backup = try await backUp(witness.server)
          try await witness.upload().expect(201)
          witness.machine.mend()
          let after = try FileManager.default.contentsOfDirectory(atPath: folder)
          if backup.state.text == "failed" {
            failures += 1
            #expect(backup.problem.text?.hasPrefix(sentence) == true, "call \(call): \(backup)")
            #expect(Set(after) == Set(before), "call \(call)")
          } else {
            #expect(backup.state.text == "complete")
            // The retention rule keeps the last manual backups.
            #expect(
              Set(after) == Set(before + [try #require(backup.fileName.text)]), "call \(call)")
          }
        }
        #expect(failures > 5)
        // The faults are over.
        let last = try await backUp(witness.server)
        #expect(last.state.text == "complete")
        let verified = try await ServerProcess.run([
          "check", "--decode", "--data", witness.data.path,
        ])
        #expect(verified.code == 0, "\(verified.output)")
      }
    }

    /// A picture is read when the copy is verified. The copy is written before that, and stamped after it.
    @Test(arguments: [FaultyMachine.Calls.read, [.write, .sync]])
    func `a kill and a power loss at any call leave only whole backups`(
      calls: FaultyMachine.Calls
    ) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-backup-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (data, machine) = (
        folder.appending(path: "data"), try FaultyMachine(in: folder.appending(path: "machine"))
      )
      let settings = machine.environment(data: data, power: .goes(keeping: nil))
        .merging(["MEMEME_ADMIN_TOKEN": Witness.adminToken]) { $1 }
      var server = try await ServerProcess(data: data, settings: settings)
      for caption in 0..<6 {
        let form = FormBody([
          .file("image", try Fixture.moving.bytes), .field("top", "\(caption)"),
        ])
        try await server.post(form).expect(201)
      }
      machine.fail(calls, on: .other, times: 0)
      var names = [try #require(try await backUp(server).fileName.text)]
      let count = machine.seen
      #expect(count > 10)
      var kills = 0
      for call in stride(from: 0, to: count, by: max(1, count / Self.tries)) {
        machine.fail(calls, on: .other, after: call, times: 1, .kill)
        if let name = try? await backUp(server).fileName.text { names.append(name) }
        kills += machine.failed
        machine.mend()
        #expect(try await server.end(by: SIGKILL) == SIGKILL)
        server = try await ServerProcess(data: data, settings: settings)
        let left = try FileManager.default.contentsOfDirectory(
          atPath: data.appending(path: "backups").path)
        #expect(!left.isEmpty && left.allSatisfy { $0.hasSuffix("Z.db") }, "call \(call): \(left)")
        // The last backup that was reported as complete exists, or one that was completed before its report.
        let list = try await server.json(
          "GET", "/admin/backups", nil, token: Witness.adminToken
        ).expect(200).json.items.elements
        #expect(Set(list.compactMap(\.fileName.text)) == Set(left), "call \(call)")
        #expect(left.max() ?? "" >= names.max() ?? "", "call \(call): \(left), \(names)")
      }
      #expect(kills > 5)
      let last = try #require(try await backUp(server).fileName.text)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)
      server = try await ServerProcess(data: data, settings: settings)
      #expect(try await server.end(by: SIGTERM) == 0)
      let restored = folder.appending(path: "restored")
      try FileManager.default.createDirectory(at: restored, withIntermediateDirectories: false)
      try FileManager.default.copyItem(
        at: data.appending(path: "backups/\(last)"), to: restored.appending(path: "mememe.db"))
      let check = try await ServerProcess.run(["check", "--decode", "--data", restored.path])
      #expect(check.code == 0, "\(check.output)")
    }

    private func backUp(_ server: ServerProcess) async throws -> JSON {
      let token = Witness.adminToken
      let begun = try await server.json("POST", "/admin/backups", nil, token: token)
      let address = begun.expect(202)["location"] ?? ""
      var backup = begun.json
      while ["copying", "verifying"].contains(backup.state.text) {
        try await Task.sleep(for: .milliseconds(10))
        backup = try await server.json("GET", address, nil, token: token).expect(200).json
      }
      return backup
    }
  }
#endif
