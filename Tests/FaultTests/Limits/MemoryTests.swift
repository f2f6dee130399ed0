#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// No memory for large allocations: pictures, their files, and data that is read from the database.
  @Suite(.serialized)
  struct MemoryTests {
    @Test(arguments: [4 << 20, 1 << 20, 200_000, 40_000])
    func `if large allocations fail, the server reports it, survives, and works again afterwards`(
      bytes: Int
    ) async throws {
      try await Witness.run { witness in
        try await witness.upload().expect(201)
        try await witness.upload(bytes: 300_000).expect(201)
        witness.machine.limitAllocations(bytes: bytes)
        for fixture in [Fixture.photo, .transparent] {
          let answer = try await witness.send(
            Ledger.Upload(picture: try fixture.bytes, caption: "large enough", maxEdge: 2048))
          #expect([201, 500, 503].contains(answer.status), "\(answer.response.text.prefix(400))")
        }
        for (id, _) in witness.ledger.snapshot.kept {
          let original = try await witness.server.send(
            Array(
              """
              GET /memes/\(id)/original HTTP/1.1\r\nHost: x\r\nConnection: close\r
              Authorization: Bearer \(Witness.adminToken)\r\n\r\n
              """.utf8))
          #expect(
            [200, 500, 503].contains(original.status), "\(original.response.text.prefix(400))")
        }
        try await witness.server.get("/healthz").expect(200)
        witness.machine.mend()
        try await witness.upload().expect(201)
        try await witness.expectReads()
      }
    }
  }
#endif
