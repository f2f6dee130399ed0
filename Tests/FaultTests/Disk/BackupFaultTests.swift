#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// Backups on a disk that fails, or is full, while they are made.
  @Suite(.serialized)
  struct BackupFaultTests {
    /// How many of the calls that change something are tried, one after the other.
    private static let tries = Scale.isLong ? 1000 : 12

    @Test(arguments: [(ENOSPC, "The disk had no room for it."), (EIO, "It could not be made.")])
    func `whichever call fails there is a whole backup or none, a sentence, and the server goes on`(
      error: Int32, sentence: String
    ) async throws {
      try await Witness.run { witness in
        for _ in 0..<8 { try await witness.upload(bytes: 200_000).expect(201) }
        let folder = witness.data.appending(path: "backups").path
        witness.machine.fail([.write, .sync], on: .other, times: 0)
        #expect(try await backUp(witness).state.text == "complete")
        let calls = witness.machine.seen
        #expect(calls > 20)
        var failures = 0
        for call in stride(from: 0, to: calls, by: max(1, calls / Self.tries)) {
          let before = try FileManager.default.contentsOfDirectory(atPath: folder)
          witness.machine.fail(
            [.write, .sync], on: .other, after: call, times: 1, .fail, error)
          let backup = try await backUp(witness)
          try await witness.upload().expect(201)
          witness.machine.mend()
          let after = try FileManager.default.contentsOfDirectory(atPath: folder)
          if backup.state.text == "failed" {
            failures += 1
            #expect(backup.problem.text?.hasPrefix(sentence) == true, "call \(call): \(backup)")
            #expect(Set(after) == Set(before), "call \(call)")
          } else {
            #expect(backup.state.text == "complete")
            // By the rule one of a day stays.
            #expect(after == [try #require(backup.fileName.text)], "call \(call)")
          }
        }
        #expect(failures > 5)
        // All that was wrong is over.
        let last = try await backUp(witness)
        #expect(last.state.text == "complete")
        let verified = try await ServerProcess.run(["check", "--data", witness.data.path])
        #expect(verified.code == 0, "\(verified.output)")
      }
    }

    private func backUp(_ witness: Witness) async throws -> JSON {
      let token = Witness.adminToken
      let begun = try await witness.server.json("POST", "/admin/backups", nil, token: token)
      let address = begun.expect(202)["location"] ?? ""
      var backup = begun.json
      while ["copying", "verifying"].contains(backup.state.text) {
        try await Task.sleep(for: .milliseconds(10))
        backup = try await witness.server.json("GET", address, nil, token: token).expect(200).json
      }
      return backup
    }
  }
#endif
