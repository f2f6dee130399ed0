import Archive
import Bytes
import Foundation
import Support
import Testing

/// Archives are read by other programs: Python's zipfile, and Info-ZIP's unzip if it is installed.
struct ZIPWriterTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "zip-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  /// Writes an archive after `start` bytes, which take no disk space.
  private func write(
    _ files: [(name: String, content: [UInt8])], at start: UInt64 = 0, date: Int64 = 1_795_391_999,
    in folder: String
  ) throws -> String {
    let zip = ZIPWriter(
      into: Spool(in: SpoolPlace(directory: folder, memoryBytes: 0)), at: start, date: date)
    for file in files { try zip.add(file.name, Bytes(file.content)) }
    let archive = try zip.finish().withUnsafeBytes { Data($0) }
    let path = "\(folder)/archive.zip"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: start)
    try handle.write(contentsOf: archive)
    try handle.close()
    return path
  }

  private func expectUnzipTakes(_ path: String) throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unzip") else { return }
    let unzip = Process()
    unzip.executableURL = URL(filePath: "/usr/bin/unzip")
    unzip.arguments = ["-tqq", path]
    try unzip.startAlone().wait()
    #expect(unzip.terminationStatus == 0)
  }

  private let some: [(name: String, content: [UInt8])] = [
    ("a/empty", []), ("a/one", [7]), ("“größer” 🐈.bin", (0..<100_000).map { UInt8($0 % 251) }),
  ]

  @Test func `other programs read the files unchanged`() throws {
    try withFolder { folder in
      let path = try write(some, in: folder)
      // MS-DOS times have a resolution of two seconds.
      let date = [2026, 11, 22, 23, 59, 58]
      let expected = some.map { Unzipped.File($0.name, Data($0.content), date) }
      #expect(try Unzipped(file: path).files == expected)
      try expectUnzipTakes(path)
    }
  }

  @Test func `an archive may be empty`() throws {
    try withFolder { folder in
      let path = try write([], in: folder)
      #expect(try Unzipped(file: path).files.isEmpty)
    }
  }

  @Test func `an archive may have more files than 16 bits can count`() throws {
    try withFolder { folder in
      for count in [65_534, 65_535, 70_000] {
        let path = try write((0..<count).map { ("\($0)", []) }, in: folder)
        let read = try Unzipped(file: path).files
        #expect(read.map(\.name) == (0..<count).map(String.init))
        try expectUnzipTakes(path)
      }
    }
  }

  /// The second file, the directory, or the whole archive begins beyond the reach of 32 bits.
  @Test(arguments: [-100_200, -60, -20, -2, -1, 0, 1 << 30])
  func `an archive may be larger than 32 bits can address`(_ distance: Int64) throws {
    let start = UInt64(1 << 32 + distance)
    try withFolder { folder in
      // At such offsets, Info-ZIP's unzip warns about names that are not ASCII, although it reads them.
      let files = some.map { ("\($0.content.count)", $0.content) }
      let path = try write(files, at: start, in: folder)
      let read = try Unzipped(file: path).files
      #expect(read.map(\.name) == files.map(\.0))
      #expect(read.map(\.content) == files.map { Data($0.1) })
      try expectUnzipTakes(path)
    }
  }

  @Test func `dates outside of the MS-DOS range are clamped`() throws {
    try withFolder { folder in
      let dates: [(Int64, Int)] = [(0, 1980), (.min, 1980), (4_354_819_199, 2107), (.max, 2107)]
      for (seconds, year) in dates {
        let path = try write([("x", [])], date: seconds, in: folder)
        #expect(try Unzipped(file: path).files.first?.date.first == year)
      }
    }
  }

  @Test func `names and files beyond the limits of the format are rejected`() throws {
    try withFolder { folder in
      let zip = ZIPWriter(
        into: Spool(in: SpoolPlace(directory: folder, memoryBytes: 0)), date: 0)
      #expect(throws: Spool.Failure.io(errno: ENAMETOOLONG)) {
        try zip.add(String(repeating: "x", count: 65_536), Bytes())
      }
      // Memory that cannot be read (PROT_NONE), so it takes no space.
      let size = Int(UInt32.max)
      let room = try #require(mmap(nil, size, PROT_NONE, MAP_PRIVATE | anonymous, -1, 0))
      defer { munmap(room, size) }
      #expect(throws: Spool.Failure.io(errno: EFBIG)) {
        try zip.add("x", Bytes(adopting: UnsafeRawBufferPointer(start: room, count: size)) {})
      }
    }
  }

  private var anonymous: Int32 {
    #if os(Linux)
      Int32(MAP_ANONYMOUS) | Int32(MAP_NORESERVE)
    #else
      MAP_ANON
    #endif
  }
}
