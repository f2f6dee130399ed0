#if os(Linux)
  import Foundation
  import Support
  import Testing
  import Wire

  /// A file system that is mounted read-only, such as a snapshot, a medium, or a disk that the kernel no longer trusts.
  @Suite(.serialized)
  struct ReadOnlyDiskTests {
    private static let launchers = MountNamespace.launchers.map { launcher in
      launcher + [
        "/bin/sh", "-c",
        #"mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@""#, "sh",
      ]
    }

    /// The state in which the server left the folder.
    enum State: CaseIterable {
      case closed
      /// The server was killed. There is a log with its index.
      case killed
      /// Like a copy of the database and its log.
      case killedWithoutIndex
    }

    @Test(arguments: launchers, State.allCases)
    func `the data is checked and exported, and nothing is written`(
      launcher: [String], state: State
    ) async throws {
      // A name with characters that have a meaning in an SQLite URI.
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-read-only-%41?#é-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let data = folder.appending(path: "data")
      let server = try await ServerProcess(data: data)
      for top in ["one", "two"] {
        let form = FormBody([.file("image", try Fixture.photo.bytes), .field("top", top)])
        try await server.post(form).expect(201)
      }
      #expect(try await server.end(by: state == .closed ? SIGTERM : SIGKILL) >= 0)
      if state == .killedWithoutIndex {
        try FileManager.default.removeItem(at: data.appending(path: "mememe.db-shm"))
      }
      let before = try FileManager.default.contentsOfDirectory(atPath: data.path).sorted()

      let exported = folder.appending(path: "exported")
      for (words, outcome) in [
        (["check", "--decode"], "checked 2 memes (0 in the trash)"),
        (["export", exported.path], "exported 2 memes to"),
      ] {
        let (code, output) = try await ServerProcess.run(
          Array(launcher.dropFirst()) + [data.path, ServerProcess.executable.path] + words
            + ["--data", data.path],
          executable: URL(filePath: launcher[0]))
        #expect(code == 0 && output.contains(outcome), "\(words): \(output)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: data.path).sorted()
      #expect(names == before)
      let (code, output) = try await ServerProcess.run(
        Array(launcher.dropFirst())
          + [data.path, ServerProcess.executable.path, "serve", "--data", data.path],
        executable: URL(filePath: launcher[0]))
      #expect(code == 1 && output.contains("Read-only file system"), "\(output)")
      // Without the read-only mount, the data is unchanged.
      let next = try await ServerProcess(data: data)
      let list = try await next.get("/memes?limit=2").expect(200).json
      #expect(list.items.elements.map(\.top.text) == ["two", "one"])
      #expect(try await next.end(by: SIGTERM) == 0)
    }
  }
#endif
