import Files
import Foundation
import Storage
import Testing

@Suite struct DataFolderTests {
  @Test func `a folder is created for its owner only, with its parents`() async throws {
    try await withScratchFolder { path in
      let folder = try DataFolder(path: path + "/a/b/")
      #expect(folder.path == path + "/a/b")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `a second server cannot use the folder until the first has ended`() async throws {
    try await withScratchFolder { path in
      var first: DataFolder? = try DataFolder(path: path)
      #expect(throws: DataFolder.InUse.folder(processID: getpid())) { try DataFolder(path: path) }
      #expect(throws: DataFolder.InUse.folder(processID: getpid())) { try DataFolder(path: path) }
      #expect(first?.path == path)
      first = nil
      _ = try DataFolder(path: path)
    }
  }

  #if os(Linux)
    @Test func `a child process that is just starting does not keep a released lock`()
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
        // The descriptor that a child has between fork and exec.
        let copy = dup(locks[0])
        defer { close(copy) }
        first = nil
        _ = try DataFolder(path: path)
      }
    }
  #endif

  @Test func `a file at the path of the folder is reported`() async throws {
    try await withScratchFolder { path in
      try Data().write(to: URL(filePath: path))
      #expect(throws: FileError("mkdir", path, errno: ENOTDIR)) { try DataFolder(path: path) }
      #expect(throws: FileError.self) { try DataFolder(path: path + "/below") }
    }
  }

  @Test func `a folder that cannot be created is reported`() {
    #expect(throws: FileError.self) { try DataFolder(path: "/proc/self/data") }
    #expect(throws: FileError.self) { try DataFolder(path: "/proc/no such/data") }
  }
}
