#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// A disk that fails while the log is copied into the database.
  @Suite(.serialized)
  struct CheckpointTests {
    /// More than is written between two checkpoints.
    private static let due = (uploads: 3, bytes: 12 << 20)

    @Test
    func `a failed checkpoint loses nothing, is reported, and is done by the next one`()
      async throws
    {
      typealias Fault = (
        calls: FaultyMachine.Calls, files: FaultyMachine.Files, call: Int,
        action: FaultyMachine.Action, error: Int32
      )
      let faults: [Fault] = [
        (.write, .database, 0, .fail, EIO), (.write, .database, 700, .tear, EIO),
        (.write, .database, 1500, .tear, ENOSPC), (.sync, .wal, 1, .forget, EIO),
        (.sync, .database, 0, .fail, EIO), (.sync, .database, 0, .forget, EIO),
      ]
      try await Witness.run { witness in
        for _ in 0..<Self.due.uploads - 1 {
          try await witness.upload(bytes: Self.due.bytes).expect(201)
        }
        for (index, fault) in faults.enumerated() {
          witness.machine.fail(
            fault.calls, on: fault.files, after: fault.call, times: 1, fault.action, fault.error)
          // The first upload makes the checkpoint due, and small ones follow: it stays due until it succeeds.
          let bytes = index == 0 ? Self.due.bytes : 12_000
          let answer = try await witness.upload(bytes: bytes)
          if fault.files == .database { answer.expect(201) }
          try await until("checkpoint \(index) fails") { witness.machine.failed > 0 }
          try await witness.expectReads()
          witness.machine.mend()
          try await until("the log reports the failure") {
            witness.server.log.contains(" checkpoint failed ")
          }
        }
        // A checkpoint that fails again is not reported again.
        let reports = witness.server.log.split(separator: "\n").count {
          $0.contains(" checkpoint failed ")
        }
        #expect(reports < faults.count)
        try await witness.upload().expect(201)
        let database = witness.data.appending(path: "mememe.db").path
        try await until("the next checkpoint copies all") {
          var status = stat()
          return stat(database, &status) == 0 && status.st_size > Self.due.uploads * Self.due.bytes
        }
        // The log starts over. Then its old content is no longer available.
        for _ in 0..<3 { try await witness.upload().expect(201) }
      }
    }
  }

  /// Waits for a condition that another process or thread makes true.
  func until(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition() {
      guard .now < deadline else {
        Issue.record("never: \(what)", sourceLocation: sourceLocation)
        return
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
#endif
