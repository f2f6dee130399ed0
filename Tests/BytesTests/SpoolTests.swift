import Bytes
import Foundation
import Testing

@Suite struct SpoolTests {
  @Test(arguments: [0, 1, 15, 16, 17, 100_000])
  func `pieces come out as one, below and above the limit of memory`(count: Int) throws {
    try withFolder { folder in
      let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let spool = Spool(directory: folder, memoryLimit: 16)
      for start in stride(from: 0, to: count, by: 7) {
        try spool.append(content[start..<min(start + 7, count)])
      }
      #expect(spool.count == count)
      #expect(try spool.finish() == Bytes(content))
    }
  }

  @Test func `a spilled file has no name, and its bytes outlive the spool`() throws {
    try withFolder { folder in
      var spool: Spool? = Spool(directory: folder, memoryLimit: 4)
      try spool?.append([1, 2, 3, 4, 5][...])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let bytes = try spool?.finish()
      spool = nil
      #expect(bytes == Bytes([1, 2, 3, 4, 5]))
    }
  }

  @Test(arguments: [4, 400])
  func `a finished spool starts over`(memoryLimit: Int) throws {
    try withFolder { folder in
      let spool = Spool(directory: folder, memoryLimit: memoryLimit)
      try spool.append([UInt8](repeating: 7, count: 50)[...])
      let first = try spool.finish()
      #expect(spool.count == 0)
      #expect(try spool.finish().isEmpty)
      try spool.append([1, 2][...])
      #expect(try spool.finish() == Bytes([1, 2]))
      #expect(first == Bytes([UInt8](repeating: 7, count: 50)))
    }
  }

  @Test func `a folder that is missing is an error once it is needed`() throws {
    let spool = Spool(directory: "/nonexistent", memoryLimit: 4)
    try spool.append([1, 2][...])
    #expect(throws: Spool.Failure.io(errno: ENOENT)) { try spool.append([3, 4, 5][...]) }
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
