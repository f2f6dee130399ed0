#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// A disk that is really full: a small file system in memory, which only the server's process sees.
  ///
  /// Mounting requires privileges that a container may not have. Without them these tests do not run, and only the
  /// faulty machine covers a full disk.
  @Suite(.serialized)
  struct FullDiskTests {
    private static let megabytes = 24
    private static let floor = 4 << 20

    /// The commands that start the server on such a disk, if that is possible.
    private static let launchers = MountNamespace.launchers.map { launcher in
      let script =
        #"mount -t tmpfs -o size=\#(megabytes)m none "$(dirname "$6")" && exec "$@""#
      return launcher + ["/bin/sh", "-c", script, "sh"]
    }

    @Test(arguments: launchers)
    func `on a full disk uploads get 507, reads and deletions work, and new space is used at once`(
      launcher: [String]
    ) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-full-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let data = folder.appending(path: "disk/data")
      try FileManager.default.createDirectory(
        at: data.deletingLastPathComponent(), withIntermediateDirectories: true)
      let server = try ServerProcess(
        launching: data,
        settings: [
          "MEMEME_DISK_FLOOR_BYTES": "\(Self.floor)", "MEMEME_ANONYMOUS_BYTES": "0",
          "MEMEME_ANONYMOUS_DAY_BYTES": "0",
        ], through: launcher)
      try await server.ready()
      let client = FullDiskClient(server)
      // The disk as the server sees it.
      let disk = "/proc/\(server.processID)/root\(data.deletingLastPathComponent().path)"

      // The server fills the disk itself.
      try await client.uploadUntilRefused()
      try await client.expectFull()
      // Deletions may use the space below the floor.
      for _ in 0..<3 { try await client.delete().expect(204) }
      // Another file fills the rest, to the last byte.
      let filler = "\(disk)/filler"
      fill(filler)
      try await client.expectFull()
      // Then there may be no space to record a deletion either.
      #expect([204, 507].contains(try await client.delete().status))
      try FileManager.default.removeItem(atPath: filler)
      // The disk grows.
      let grow = Process()
      grow.executableURL = URL(filePath: "/usr/bin/nsenter")
      grow.arguments = [
        "--target", "\(server.processID)", "--user", "--preserve-credentials", "--mount", "mount",
        "-o", "remount,size=64m", data.deletingLastPathComponent().path,
      ]
      if launcher.contains("--user") == false { grow.arguments?.removeSubrange(2..<4) }
      try grow.startAlone().wait()
      #expect(grow.terminationStatus == 0)
      try await client.upload().expect(201)
      try await server.readiness(becoming: 200).expect(200)
      try await client.expectReads()
      #expect(try await server.end(by: SIGTERM) == 0)
    }

    private func fill(_ path: String) {
      let file = open(path, O_WRONLY | O_CREAT, 0o600)
      defer { close(file) }
      let zeros = [UInt8](repeating: 0, count: 4096)
      while write(file, zeros, zeros.count) > 0 {}
    }
  }

  /// Fills the disk of a server and checks its behavior.
  private final class FullDiskClient {
    private let server: ServerProcess
    private var random = SeededRandom(5)
    private var kept: [(id: String, token: String)] = []

    init(_ server: ServerProcess) { self.server = server }

    func upload() async throws -> Answer {
      let answer = try await server.post(try Ledger.Upload(&random, commentBytes: 700_000).form)
      if answer.status == 201, let id = answer.json.id.text,
        let token = answer.json.deleteToken.text
      {
        kept.append((id, token))
      }
      return answer
    }

    func uploadUntilRefused() async throws {
      while try await upload().status == 201, kept.count < 100 {}
      #expect(kept.count > 5)
    }

    func delete() async throws -> Answer {
      guard let (id, token) = kept.popLast() else { throw WireClient.Failure(what: "none is left") }
      return try await server.delete("/memes/\(id)", token: token)
    }

    func expectFull() async throws {
      try await upload().expect(507, problem: "storage-full")
      try await expectReads()
      let ready = try await server.readiness(becoming: 503).expect(503, problem: "not-ready")
      #expect(ready.json.detail.text?.contains("disk") == true)
    }

    func expectReads() async throws {
      try await server.get("/memes").expect(200)
      for (id, _) in kept { try await server.get("/memes/\(id)").expect(200) }
      // Made and returned, whether it is stored or not.
      for (id, _) in kept.prefix(2) {
        try await server.get("/memes/\(id)/image?width=64").expect(200)
      }
    }
  }
#endif
