#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// A server on a faulty machine, and a client that records the responses.
  final class Witness {
    static let adminToken = "an-admin-token-for-faults"

    let machine: FaultyMachine
    let ledger = Ledger()
    let data: URL
    private(set) var server: ServerProcess
    private let settings: [String: String]
    private var random: SeededRandom

    private init(
      _ folder: URL, _ settings: [String: String], files: Int?, seed: UInt64
    ) async throws {
      data = folder.appending(path: "data")
      machine = try FaultyMachine(in: folder.appending(path: "machine"))
      random = SeededRandom(seed)
      self.settings = settings.merging(
        [
          "MEMEME_ADMIN_TOKEN": Self.adminToken, "MALLOC_ARENA_MAX": "2",
          "MEMEME_RENDER_WORKERS": "1",
        ]
      ) { own, _ in own }
      var environment = machine.environment(data: data, power: .goes(keeping: nil))
      environment["FAULTY_FILES"] = files.map(String.init)
      server = try await ServerProcess(
        data: data, settings: self.settings.merging(environment) { $1 })
    }

    /// Runs `body` with a server on its own machine. At the end the machine loses power. Acknowledged data must be
    /// complete after the next start.
    ///
    /// - Parameter files: the maximum number of files and sockets that the server may have open, or `nil` for the limit
    ///   of the tests.
    static func run(
      settings: [String: String] = [:], files: Int? = nil, seed: UInt64 = 1,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ body: (Witness) async throws -> Void
    ) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-fault-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let witness = try await Witness(folder, settings, files: files, seed: seed)
      do {
        try await body(witness)
        #expect(witness.server.isRunning, sourceLocation: sourceLocation)
      } catch {
        let code = try await witness.server.end(by: SIGKILL)
        Issue.record(
          "\(error); ended with \(code); log: \(witness.server.log.suffix(3000))",
          sourceLocation: sourceLocation)
        return
      }
      witness.machine.mend()
      _ = try await witness.server.end(by: SIGKILL)
      try await witness.inspect(sourceLocation)
    }

    private func inspect(_ sourceLocation: SourceLocation) async throws {
      let environment = machine.environment(data: data, power: .goes(keeping: nil))
      server = try await ServerProcess(data: data, settings: settings.merging(environment) { $1 })
      var inspection = try Inspection(ledger, server, adminToken: Self.adminToken)
      try await inspection.run { _ in true }
      #expect(inspection.complaints == [], sourceLocation: sourceLocation)
      #expect(ledger.snapshot.complaints == [], sourceLocation: sourceLocation)
      #expect(try await server.end(by: SIGTERM) == 0, sourceLocation: sourceLocation)
    }

    /// Uploads something new.
    ///
    /// - Parameter bytes: the approximate size of the file.
    @discardableResult
    func upload(bytes: Int = 12_000) async throws -> Answer {
      try await send(try Ledger.Upload(&random, commentBytes: max(16, bytes - 10_000)))
    }

    /// Uploads a given file.
    @discardableResult
    func send(_ upload: Ledger.Upload) async throws -> Answer {
      ledger.willUpload(upload)
      let answer = try await server.post(upload.form)
      if answer.status == 201 { ledger.wasUploaded(upload, answer.json) }
      return answer
    }

    /// Deletes one of the stored memes.
    ///
    /// - Returns: the response, and the id of the meme.
    func delete() async throws -> (Answer, String) {
      let ids = ledger.snapshot.kept.keys.sorted().shuffled(using: &random)
      guard let (id, token) = ledger.willDelete(among: ids) else {
        throw WireClient.Failure(what: "there is nothing to delete")
      }
      let answer = try await server.delete("/memes/\(id)", token: token)
      if answer.status == 204 { ledger.wasDeleted(id) }
      return (answer, id)
    }

    /// Deletes and uploads concurrently.
    ///
    /// - Returns: the failures, and the ids of the failed deletions among them.
    func change(deleting deletions: Int, uploading uploads: Int) async throws -> [(
      Answer, id: String?
    )] {
      let new = try (0..<uploads).map { _ in try Ledger.Upload(&random, commentBytes: 2000) }
      let ids = ledger.snapshot.kept.keys.sorted().shuffled(using: &random)
      let old = (0..<deletions).compactMap { _ in ledger.willDelete(among: ids) }
      return try await withThrowingTaskGroup { [ledger, server] group in
        for (id, token) in old {
          group.addTask {
            let answer = try await server.delete("/memes/\(id)", token: token)
            if answer.status == 204 { ledger.wasDeleted(id) }
            return (answer, id: Optional(id))
          }
        }
        for upload in new {
          group.addTask {
            ledger.willUpload(upload)
            let answer = try await server.post(upload.form)
            if answer.status == 201 { ledger.wasUploaded(upload, answer.json) }
            return (answer, id: nil)
          }
        }
        return try await group.reduce(into: []) { failures, one in
          if one.0.status >= 300 { failures.append(one) }
        }
      }
    }

    /// Deletes a meme whose deletion failed before.
    func deleteAgain(_ id: String) async throws -> Answer {
      let answer = try await server.delete("/memes/\(id)", token: Self.adminToken)
      if answer.status == 204 || answer.status == 410 { ledger.wasDeleted(id) }
      return answer
    }

    /// Reads the list and a stored meme. Both must work, whatever the disk does.
    func expectReads(
      ofPictureUpTo bytes: Int = .max, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      try await server.get("/memes").expect(200, sourceLocation: sourceLocation)
      let state = ledger.snapshot
      let found = state.kept.first {
        !state.deleting.contains($0.key) && ($0.value.json.image.bytes.int ?? 0) <= bytes
      }
      guard let (_, kept) = found else { return }
      let image = try await server.get(kept.json.image.url.text ?? "")
      image.expect(200, sourceLocation: sourceLocation)
      #expect(
        image.response.body.count == kept.json.image.bytes.int, sourceLocation: sourceLocation)
    }

    /// Expects a problem whose cause is in the log under the request id, but not in the response.
    func expectFailure(
      _ answer: Answer, _ statuses: Set<Int>, _ note: String = "",
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      #expect(
        statuses.contains(answer.status), "\(note): \(answer.response.text.prefix(400))",
        sourceLocation: sourceLocation)
      let id = answer["x-request-id"] ?? ""
      #expect(answer.json.instance.text == id, "\(note)", sourceLocation: sourceLocation)
      try await until("the log tells of \(id), \(note)", sourceLocation: sourceLocation) {
        server.log.split(separator: "\n").contains {
          $0.contains(" failure ") && $0.contains("id=\(id) ")
        }
      }
      #expect(!answer.response.text.contains("SQLite"), "\(note)", sourceLocation: sourceLocation)
    }
  }
#endif
