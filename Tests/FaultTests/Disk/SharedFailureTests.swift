#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// A disk that fails during concurrent writes that share commits.
  @Suite(.serialized)
  struct SharedFailureTests {
    private static let (deletions, uploads) = (12, 4)

    @Test(arguments: [
      (FaultyMachine.Calls.sync, FaultyMachine.Action.forget, EIO, 500),
      (.write, .tear, ENOSPC, 507),
    ])
    func `a failure affects at most one request, and acknowledged writes are kept`(
      calls: FaultyMachine.Calls, action: FaultyMachine.Action, error: Int32, status: Int
    ) async throws {
      try await Witness.run { witness in
        for _ in 0..<Self.deletions { try await witness.upload().expect(201) }
        var reached = 0
        for call in 0..<(Scale.isLong ? 60 : 10) {
          witness.machine.fail(calls, on: .wal, after: call, times: 1, action, error)
          let failures = try await witness.change(
            deleting: Self.deletions, uploading: Self.uploads)
          reached += witness.machine.failed
          #expect(failures.count <= 1, "call \(call)")
          for (answer, _) in failures {
            try await witness.expectFailure(answer, [status], "call \(call)")
          }
          try await witness.expectReads()
          witness.machine.mend()
          try await witness.finish(failures)
          while witness.ledger.snapshot.kept.count < Self.deletions {
            try await witness.upload().expect(201)
          }
        }
        #expect(reached > 0)
        try await witness.expectSharing()
      }
    }

    @Test func `no success is reported while all commits fail`() async throws {
      try await Witness.run { witness in
        for _ in 0..<Self.deletions { try await witness.upload().expect(201) }
        witness.machine.fail(.sync, on: .wal, .forget, EIO)
        let failures = try await witness.change(deleting: Self.deletions, uploading: Self.uploads)
        #expect(failures.count == Self.deletions + Self.uploads)
        for (answer, _) in failures { try await witness.expectFailure(answer, [500]) }
        try await witness.expectReads()
        witness.machine.mend()
        #expect(try await witness.change(deleting: 0, uploading: 2).isEmpty)
        try await witness.finish(failures)
      }
    }
  }

  extension Witness {
    /// Deletes the memes whose deletion failed before.
    fileprivate func finish(_ failures: [(Answer, id: String?)]) async throws {
      for case (_, let id?) in failures {
        #expect([204, 410].contains(try await deleteAgain(id).status))
      }
    }

    /// Without shared commits, the test has tested nothing.
    fileprivate func expectSharing() async throws {
      let metrics = try Exposition(
        parsing: try await server.get("/metrics").expect(200).response.text)
      #expect(
        metrics.value("mememe_sqlite_transactions_total")
          > metrics.value("mememe_sqlite_commits_total"))
    }
  }
#endif
