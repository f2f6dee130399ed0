#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// A disk that fails at one call, at every call in turn. The server must not report false success, crash, or cause
  /// lasting damage.
  @Suite(.serialized)
  struct FailingDiskTests {
    struct Fault: CustomTestStringConvertible, Sendable {
      let action: FaultyMachine.Action
      let error: Int32
      let status: Int

      var testDescription: String { "\(action), \(String(cString: strerror(error)))" }

      static let all = Scale.isLong ? many : [many[1], many[2]]

      private static let many = [
        Fault(action: .tear, error: EIO, status: 500),
        Fault(action: .forget, error: EIO, status: 500),
        Fault(action: .tear, error: ENOSPC, status: 507),
        Fault(action: .fail, error: EDQUOT, status: 507),
      ]
    }

    @Test(arguments: Fault.all)
    func `an upload is acknowledged if and only if it is stored, whichever call fails`(
      fault: Fault
    ) async throws {
      try await Witness.run { witness in
        try await witness.upload().expect(201)
        witness.machine.fail(.changes, times: 0)
        try await witness.upload().expect(201)
        let calls = witness.machine.seen
        #expect(calls > 5)
        var failures = 0
        for call in 0..<calls {
          witness.machine.fail(.changes, after: call, times: 1, fault.action, fault.error)
          let answer = try await witness.upload()
          if answer.status != 201 {
            failures += 1
            try await witness.expectFailure(answer, [fault.status], "call \(call)")
          }
          try await witness.expectReads()
          witness.machine.mend()
          try await witness.upload().expect(201)
        }
        #expect(failures > 5)
      }
    }

    @Test(arguments: Fault.all)
    func `a deletion is acknowledged if and only if it is done, whichever call fails`(
      fault: Fault
    ) async throws {
      try await Witness.run { witness in
        for _ in 0..<24 { try await witness.upload().expect(201) }
        witness.machine.fail(.changes, times: 0)
        _ = try await witness.delete()
        let calls = min(witness.machine.seen, 20)
        #expect(calls > 2)
        for call in 0..<calls {
          witness.machine.fail(.changes, after: call, times: 1, fault.action, fault.error)
          let (answer, id) = try await witness.delete()
          if answer.status != 204 {
            try await witness.expectFailure(answer, [fault.status], "call \(call)")
          }
          witness.machine.mend()
          try await witness.expectReads()
          if answer.status != 204 {
            #expect([204, 410].contains(try await witness.deleteAgain(id).status))
          }
        }
      }
    }

    @Test(arguments: [(EIO, 500), (ENOSPC, 507), (EROFS, 500)])
    func `without writes, reads go on and readiness fails; then all works again`(
      error: Int32, status: Int
    ) async throws {
      try await Witness.run { witness in
        for _ in 0..<3 { try await witness.upload().expect(201) }
        witness.machine.fail(.changes, .fail, error)
        for _ in 0..<3 {
          try await witness.expectFailure(try await witness.upload(), [status])
          try await witness.expectReads()
        }
        try await witness.server.get("/healthz").expect(200)
        let ready = try await witness.server.readiness(becoming: 503).expect(
          503, problem: "not-ready")
        #expect(ready.json.detail.text?.contains("database") == true)
        witness.machine.mend()
        try await witness.upload().expect(201)
        try await witness.server.readiness(becoming: 200).expect(200)
      }
    }
  }
#endif
