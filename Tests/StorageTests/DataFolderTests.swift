import Foundation
import Storage
import Testing

@Suite struct DataFolderTests {
  @Test func `a folder is made for its owner only, with those above it`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path + "/a/b/")
      #expect(folder.path == path + "/a/b")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `a second server is kept out until the first is gone`() async throws {
    try await withScratchFolder { path in
      var first: DataFolder? = try DataFolder(path: path)
      #expect(throws: DataFolder.Failure.inUse(processID: getpid())) { try DataFolder(path: path) }
      #expect(throws: DataFolder.Failure.inUse(processID: getpid())) { try DataFolder(path: path) }
      #expect(first?.path == path)
      first = nil
      _ = try DataFolder(path: path)
    }
  }

  #if os(Linux)
    @Test func `who is just being started as a child does not keep a lock that was given back`()
      async throws
    {
      try await withScratchFolder { path in
        var first: DataFolder? = try DataFolder(path: path)
        #expect(first?.path == path)
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let locks = files.compactMap { Int32($0) }.filter { file in
          let link = "/proc/self/fd/\(file)"
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
          return target?.hasSuffix("\(path.split(separator: "/").last ?? "")/mememe.lock") == true
        }
        try #require(locks.count == 1)
        // What a child has between fork and exec.
        let copy = dup(locks[0])
        defer { close(copy) }
        first = nil
        _ = try DataFolder(path: path)
      }
    }
  #endif

  @Test func `a file in the folder's place is told as such`() async throws {
    try await withScratchFolder { path in
      try Data().write(to: URL(filePath: path))
      #expect(throws: DataFolder.Failure.notAFolder) { try DataFolder(path: path) }
      #expect(throws: DataFolder.Failure.self) { try DataFolder(path: path + "/below") }
    }
  }

  @Test func `a folder in a place where nobody can make one is told as such`() {
    #expect(throws: DataFolder.Failure.self) { try DataFolder(path: "/proc/self/data") }
    #expect(throws: DataFolder.Failure.self) { try DataFolder(path: "/proc/no such/data") }
  }
}
