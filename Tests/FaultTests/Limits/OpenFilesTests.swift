#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// A process that may open only a few files and sockets.
  @Suite(.serialized)
  struct OpenFilesTests {
    @Test(arguments: [64, 96])
    func `with few open files, idle connections make room, and everything recovers`(
      files: Int
    ) async throws {
      try await Witness.run(files: files) { witness in
        for _ in 0..<2 { try await witness.upload().expect(201) }
        let first = try witness.server.connect()
        #expect(try await first.ask("GET", "/healthz").status == 200)
        var others: [WireClient] = []
        for _ in 0..<files { if let other = try? witness.server.connect() { others.append(other) } }
        // The first connection has been idle for the longest time.
        let last = try #require(others.last)
        #expect(try await last.ask("GET", "/healthz").status == 200)
        #expect(await first.isClosedByServer())
        // Reads may need a file that cannot be opened. Then they report it.
        let before = try Self.processorTicks(of: witness.server.processID)
        for _ in 0..<20 {
          #expect(try await last.ask("GET", "/healthz").status == 200)
          let list = try await last.ask("GET", "/memes")
          #expect([200, 503].contains(list.status), "\(list.response.text.prefix(300))")
          try await Task.sleep(for: .milliseconds(20))
        }
        let spent = try Self.processorTicks(of: witness.server.processID) - before
        // Of more than 40 hundredths of a second. A thread that spins would have used all of them.
        #expect(spent < 25, "\(spent) ticks")
        for other in others { other.vanish() }
        others = []
        try await until("connections are free again") { (try? witness.server.connect()) != nil }
        for _ in 0..<50 {
          if let answer = try? await witness.upload(), answer.status == 201 { break }
          try await Task.sleep(for: .milliseconds(50))
        }
        try await witness.upload().expect(201)
        try await witness.expectReads()
        try await witness.server.readiness(becoming: 200).expect(200)
      }
    }

    /// The CPU time that the process has used, in hundredths of a second.
    private static func processorTicks(of process: Int32) throws -> Int {
      let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // The name is in parentheses and may contain spaces. utime and stime are the 14th and 15th fields.
      let fields = text.drop { $0 != ")" }.split(separator: " ")
      return (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
    }
  }
#endif
