import Files
import Foundation
import Testing

struct FilesTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  @Test func `all bytes are written`() throws {
    try withFolder { folder in
      let path = "\(folder)/file"
      let content = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
      let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(descriptor) }
      for piece in [content[..<10], content[10..<10], content[10...]] {
        try piece.withUnsafeBytes { try Files.write($0, to: descriptor, path: path) }
      }
      try Files.sync(descriptor, path: path)
      try Files.syncParent(of: path)
      #expect(try Data(contentsOf: URL(filePath: path)) == Data(content))
    }
  }

  @Test func `a write through a pipe that fills up goes on`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let content = [UInt8](repeating: 7, count: 1 << 20)
    let writer = Thread {
      content.withUnsafeBytes { try? Files.write($0, to: writing, path: "pipe") }
      close(writing)
    }
    writer.start()
    var (count, piece) = (0, [UInt8](repeating: 0, count: 1000))
    while case let read = read(reading, &piece, piece.count), read > 0 { count += read }
    #expect(count == content.count)
  }

  @Test func `a failed call is named with its path and its reason`() {
    let error = #expect(throws: FileError.self) { try Files.sync("/nowhere/at all") }
    #expect(error == FileError("open", "/nowhere/at all", errno: ENOENT))
    #expect(error?.description == "open /nowhere/at all: No such file or directory")
    let other = #expect(throws: FileError.self) {
      try [UInt8(1)].withUnsafeBytes { try Files.write($0, to: -1, path: "none") }
    }
    #expect(other == FileError("write", "none", errno: EBADF))
    let full = FileError("write", "copy", errno: ENOSPC, detail: "2 MB are needed")
    #expect(full.isDiskFull && other?.isDiskFull == false)
    #expect(full.description == "write copy: No space left on device, 2 MB are needed")
  }

  @Test func `a disk has room as long as the reserve remains`() {
    let disk = DiskReserve(floorBytes: 1000, freeBytes: { ["full": 999, "free": 1200][$0] })
    #expect(!disk.hasRoom(at: "full") && disk.hasRoom(at: "free"))
    #expect(disk.hasRoom(for: 200, at: "free") && !disk.hasRoom(for: 201, at: "free"))
    // The free space of this disk is unknown.
    #expect(disk.hasRoom(for: 201, at: "elsewhere"))
    #expect(!DiskReserve(floorBytes: .max).hasRoom(at: "/"))
  }

  @Test(arguments: [("a/b", "a"), ("/a", "/"), ("a", "."), ("/a/b/c", "/a/b")])
  func `the parent of a path is the folder that has its name`(path: String, parent: String) {
    #expect(Files.parent(of: path) == parent)
  }
}
