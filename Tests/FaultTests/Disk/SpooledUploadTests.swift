#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// A disk without space for an upload that is arriving.
  @Suite(.serialized)
  struct SpooledUploadTests {
    /// An upload of this size exceeds `largestAllocation`, but can be drawn within that limit.
    private static let uploadBytes = 2_600_000
    private static let largestAllocation = 3 << 20

    @Test(arguments: [(ENOSPC, 507), (EDQUOT, 507), (EIO, 500)])
    func `an upload whose spool fails is rejected and leaves nothing, and the next one is stored`(
      error: Int32, status: Int
    ) async throws {
      try await Witness.run { witness in
        try await witness.upload().expect(201)
        let machine = witness.machine
        machine.limitAllocations(bytes: Self.largestAllocation)
        machine.fail(.spool, times: 0)
        try await witness.upload(bytes: Self.uploadBytes).expect(201)
        // The file is opened. It gets the bytes that were in memory, and then pieces as they arrive.
        let calls = min(machine.seen, 4)
        #expect(calls == 4 || !machine.seesAllocations)
        for call in 0..<calls {
          for action in [FaultyMachine.Action.fail, .tear] {
            machine.fail(.spool, after: call, times: 1, action, error)
            let answer = try await witness.upload(bytes: Self.uploadBytes)
            #expect(machine.failed == 1)
            try await witness.expectFailure(answer, [status], "call \(call), \(action)")
            try await witness.expectReads()
            #expect(try Self.leftovers(of: witness) == [], "call \(call), \(action)")
          }
        }
        // Still through the disk.
        machine.fail(.spool, times: 0)
        try await witness.upload(bytes: Self.uploadBytes).expect(201)
        #expect(machine.seen >= calls)
      }
    }

    /// The upload files that have a name or that the server has open.
    private static func leftovers(of witness: Witness) throws -> [String] {
      let files = FileManager.default
      let descriptors = "/proc/\(witness.server.processID)/fd"
      let open = try files.contentsOfDirectory(atPath: descriptors).compactMap {
        try? files.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
      }
      return (try files.contentsOfDirectory(atPath: witness.data.path) + open)
        .filter { $0.contains("upload-") }
    }
  }

  extension FaultyMachine {
    /// Makes some calls on spool files fail from now on.
    fileprivate func fail(
      _ files: Files, after skip: Int = 0, times: Int, _ action: Action = .fail,
      _ error: Int32 = EIO
    ) {
      fail([.open, .write], on: files, after: skip, times: times, action, error)
    }
  }
#endif
