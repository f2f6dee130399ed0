#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// A disk that fails while the log is copied into the database.
  @Suite(.serialized)
  struct CheckpointTests {
    /// More than what is written between two checkpoints.
    private static let due = (uploads: 3, bytes: 12 << 20)

    @Test
    func `a checkpoint that fails at any call loses nothing, is told, and is done by the next`()
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
          // What makes it due the first time, and small ones after that: it stays due until it is done.
          let bytes = index == 0 ? Self.due.bytes : 12_000
          let answer = try await witness.upload(bytes: bytes)
          if fault.files == .database { answer.expect(201) }
          try await until("checkpoint \(index) fails") { witness.machine.failed > 0 }
          try await witness.expectReads()
          witness.machine.mend()
          try await until("the log tells") {
            witness.server.log.split(separator: "\n").count { $0.contains(" checkpoint failed ") }
              > index
          }
        }
        try await witness.upload().expect(201)
        let database = witness.data.appending(path: "mememe.db").path
        try await until("the next checkpoint copies all") {
          var status = stat()
          return stat(database, &status) == 0 && status.st_size > Self.due.uploads * Self.due.bytes
        }
        // The log starts over; then its old content is no longer there to fall back on.
        for _ in 0..<3 { try await witness.upload().expect(201) }
      }
    }
  }

  /// Waits for a condition that something else brings about.
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
