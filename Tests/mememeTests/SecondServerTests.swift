#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// A second server on a database in use, whatever path leads to the file.
  struct SecondServerTests {
    enum Way: CaseIterable, Sendable { case removedLock, symbolicLink, hardLink }

    /// - Returns: The data folder for the second server.
    private func prepare(_ way: Way, in folder: URL, _ data: URL) throws -> URL {
      let other = folder.appending(path: "other")
      let files = FileManager.default
      switch way {
      case .removedLock:
        try files.removeItem(at: data.appending(path: "mememe.lock"))
        return data
      case .symbolicLink, .hardLink:
        try files.createDirectory(at: other, withIntermediateDirectories: true)
        let (database, name) = (
          data.appending(path: "mememe.db"), other.appending(path: "mememe.db")
        )
        if way == .hardLink {
          try files.linkItem(at: database, to: name)
        } else {
          try files.createSymbolicLink(at: name, withDestinationURL: database)
        }
        return other
      }
    }

    @Test(arguments: Way.allCases)
    func `a second server and commands that write are rejected`(way: Way) async throws {
      try await withDataFolder { folder in
        let data = folder.appending(path: "data")
        let first = try await ServerProcess(data: data)
        let taken = try prepare(way, in: folder, data)
        let second = try ServerProcess(launching: taken)
        #expect(try await second.ended() == 1)
        #expect(second.log.contains("another server is using this database file"), "\(second.log)")
        for command in [
          ["migrate", "--data", taken.path],
          ["check", "--decode", "--repair", "--data", taken.path],
          ["restore", data.appending(path: "mememe.db").path, "--data", taken.path],
        ] {
          let (code, output) = try await ServerProcess.run(command)
          #expect(code == 1 || code == 2, "\(command): \(output)")
          #expect(output.contains("another server"), "\(command): \(output)")
        }
        try await first.get("/memes").expect(200)
        // A command that uses a running server finds that one exists.
        if way == .removedLock {
          let (code, output) = try await ServerProcess.run(["backup", "--data", taken.path])
          #expect(!output.contains("another server"), "\(code): \(output)")
        }
        #expect(try await first.end(by: SIGTERM) == 0)
        // The kernel has released the lock.
        let next = try await ServerProcess(data: taken)
        #expect(try await next.end(by: SIGTERM) == 0)
      }
    }

    @Test func `a restored database is locked as soon as it is in place`() async throws {
      try await withDataFolder { folder in
        let (data, copy) = (folder.appending(path: "data"), folder.appending(path: "copy.db"))
        let first = try await ServerProcess(data: data)
        #expect(try await first.end(by: SIGTERM) == 0)
        try FileManager.default.copyItem(at: data.appending(path: "mememe.db"), to: copy)
        let (code, output) = try await ServerProcess.run(
          ["restore", copy.path, "--data", data.path])
        #expect(code == 0, "\(output)")
        let restored = try await ServerProcess(data: data)
        try FileManager.default.removeItem(at: data.appending(path: "mememe.lock"))
        let second = try ServerProcess(launching: data)
        #expect(try await second.ended() == 1)
        #expect(try await restored.end(by: SIGTERM) == 0)
      }
    }
  }
#endif
