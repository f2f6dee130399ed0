import Bytes
import Foundation
import Synchronization
import Testing

@Suite struct SpoolTests {
  @Test(arguments: [0, 1, 15, 16, 17, 100_000])
  func `pieces are joined, in memory and in a file`(count: Int) throws {
    try withFolder { folder in
      let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let spool = Spool(in: SpoolPlace(directory: folder, memoryBytes: count < 16 ? 1 << 20 : 0))
      for start in stride(from: 0, to: count, by: 7) {
        try spool.append(content[start..<min(start + 7, count)])
      }
      #expect(spool.count == count)
      #expect(try spool.finish() == Bytes(content))
    }
  }

  @Test func `a spilled file has no name, and its bytes outlive the spool`() throws {
    try withFolder { folder in
      var spool: Spool? = Spool(in: SpoolPlace(directory: folder, memoryBytes: 0))
      try spool?.append([1, 2, 3, 4, 5][...])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let bytes = try spool?.finish()
      spool = nil
      #expect(bytes == Bytes([1, 2, 3, 4, 5]))
    }
  }

  @Test(arguments: [0, 1 << 20])
  func `a finished spool can be reused`(memoryBytes: Int) throws {
    try withFolder { folder in
      let spool = Spool(in: SpoolPlace(directory: folder, memoryBytes: memoryBytes))
      try spool.append([UInt8](repeating: 7, count: 50)[...])
      let first = try spool.finish()
      #expect(spool.count == 0)
      #expect(try spool.finish().isEmpty)
      try spool.append([1, 2][...])
      #expect(try spool.finish() == Bytes([1, 2]))
      #expect(first == Bytes([UInt8](repeating: 7, count: 50)))
    }
  }

  @Test func `spools share a memory budget and return it when their bytes are freed`() throws {
    // Without a folder, a spool beyond the memory budget fails.
    let place = SpoolPlace(directory: "/nonexistent", memoryBytes: 200 << 10)
    let piece = [UInt8](repeating: 7, count: 60_000)
    let first = Spool(in: place)
    let second = Spool(in: place)
    let third = Spool(in: place)
    try first.append(piece[...])
    try second.append(piece[...])
    try third.append(piece[...])
    #expect(throws: Spool.Failure.self) { try Spool(in: place).append(piece[...]) }
    var bytes: Bytes? = try first.finish()
    #expect(bytes == Bytes(piece))
    #expect(throws: Spool.Failure.self) { try Spool(in: place).append(piece[...]) }
    bytes = nil
    try Spool(in: place).append(piece[...])
  }

  @Test func `a spool beyond the memory budget continues in a file`() throws {
    try withFolder { folder in
      let place = SpoolPlace(directory: folder, memoryBytes: 150_000)
      let spool = Spool(in: place)
      let piece = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      for _ in 0..<10 { try spool.append(piece[...]) }
      #expect(try spool.finish() == Bytes(Array(repeatElement(piece, count: 10).joined())))
      // The memory that it used is free again.
      try Spool(in: SpoolPlace(directory: "/nonexistent", memoryBytes: 150_000)).append(piece[...])
      let other = Spool(in: place)
      for _ in 0..<3 { try other.append(piece[...]) }
      #expect(try other.finish().count == 120_000)
    }
  }

  @Test func `a missing folder is an error only when it is needed`() throws {
    let large = [UInt8](repeating: 7, count: 100_000)
    let spool = Spool(in: SpoolPlace(directory: "/nonexistent", memoryBytes: 150_000))
    try spool.append(large[...])
    #expect(throws: Spool.Failure.io(errno: ENOENT)) { try spool.append(large[...]) }
  }

  @Test func `bytes that are held count in the budget, and are in a file beyond it`() throws {
    try withFolder { folder in
      let place = SpoolPlace(directory: folder, memoryBytes: 100_000)
      let bytes = Bytes([UInt8](repeating: 7, count: 60_000))
      var first: Bytes? = try place.hold(bytes)
      #expect(first == bytes)
      #expect(start(of: first) == start(of: bytes))
      let file = try place.hold(bytes)
      #expect(file == bytes && file.isFile && start(of: file) != start(of: bytes))
      #expect(start(of: try place.hold(file)) == start(of: file))
      first = nil
      #expect(start(of: try place.hold(bytes)) == start(of: bytes))
    }
  }

  @Test func `a disk without room takes no file, however much is in memory`() throws {
    try withFolder { folder in
      let place = SpoolPlace(directory: folder, memoryBytes: 100_000) { false }
      let bytes = Bytes([UInt8](repeating: 7, count: 60_000))
      let first = try place.hold(bytes)
      #expect(throws: Spool.Failure.full) { try place.hold(bytes) }
      #expect(throws: Spool.Failure.full) { try Spool(in: place).append(bytes) }
      withExtendedLifetime(first) {}
    }
  }

  @Test func `a file ends when the disk has no room left`() throws {
    try withFolder { folder in
      let hasRoom = Mutex(true)
      let spool = Spool(
        in: SpoolPlace(directory: folder, memoryBytes: 0) { hasRoom.withLock(\.self) })
      let piece = [UInt8](repeating: 7, count: 1 << 20)
      try spool.append(piece[...])
      hasRoom.withLock { $0 = false }
      #expect(throws: Spool.Failure.full) {
        for _ in 1...8 { try spool.append(piece[...]) }
      }
      #expect(spool.count < 9 << 20)
    }
  }

  private func start(of bytes: Bytes?) -> UnsafeRawPointer? {
    bytes?.withUnsafeBytes { $0.baseAddress }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "mememe-spool-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

}

extension Spool {
  fileprivate func append(_ piece: ArraySlice<UInt8>) throws(Failure) {
    let result = piece.withUnsafeBytes { piece in
      Result { () throws(Failure) in try append(piece) }
    }
    try result.get()
  }
}
