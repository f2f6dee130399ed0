import Bytes
import Foundation
import Testing

@testable import Rendering

struct HelperInputTests {
  /// The input as the process has it.
  private struct Reader: ~Copyable {
    let descriptor: Int32

    init(_ input: HelperInput) throws { descriptor = try input.openReader() }
    deinit { close(descriptor) }

    var size: Int { FileStatus(of: descriptor)?.byteCount ?? 0 }

    func read(_ count: Int, at offset: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0xAA, count: count)
      let read = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, count, off_t(offset))
      }
      return Array(bytes.prefix(max(0, read)))
    }
  }

  @Test func `the process reads what the server writes`() throws {
    let input = try HelperInput()
    let reader = try Reader(input)
    try input.write(Bytes([1, 2, 3]), at: 0)
    try input.write(Bytes(Array(repeating: 7, count: 100_000)), at: 64)
    #expect(reader.read(4, at: 0) == [1, 2, 3, 0])
    #expect(reader.read(3, at: 100_062) == [7, 7, 0])
    try input.write(Bytes([4]), at: 0)
    #expect(reader.read(2, at: 0) == [4, 2])
  }

  #if os(Linux)
    @Test func `the descriptor of the process does not write`() throws {
      let input = try HelperInput()
      let reader = try Reader(input)
      var byte: UInt8 = 9
      #expect(pwrite(reader.descriptor, &byte, 1, 0) == -1 && errno == EBADF)
      #expect(ftruncate(reader.descriptor, 0) == -1 && errno == EINVAL)
      #expect(
        mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, reader.descriptor, 0) == MAP_FAILED
          && errno == EACCES)
    }

    /// A write to a mapping beyond the end of the file ends the process.
    @Test func `the file cannot be shortened, not even through another descriptor`() throws {
      let input = try HelperInput()
      let reader = try Reader(input)
      let kept = reader.size
      let again = open("/proc/self/fd/\(reader.descriptor)", O_RDWR | O_CLOEXEC)
      try #require(again >= 0)
      defer { close(again) }
      #expect(ftruncate(again, 0) == -1 && errno == EPERM)
      #expect(reader.size == kept)
      try input.write(Bytes([5]), at: kept - 1)
      #expect(reader.read(1, at: kept - 1) == [5])
    }
  #endif

  @Test func `files that are larger than the mapping are written, and their memory is returned`()
    throws
  {
    let input = try HelperInput()
    let reader = try Reader(input)
    let kept = reader.size
    let large = Bytes((0..<kept).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try input.write(large, at: 64)
    #expect(reader.size == kept + 64)
    #expect(reader.read(kept, at: 64) == large.withUnsafeBytes { Array($0) })
    try input.trim()
    #expect(reader.read(32, at: kept).allSatisfy { $0 == 0 })
    #expect(reader.read(2, at: 65) == [31, 62])
    try input.clear()
    #expect(reader.size >= kept && reader.read(2, at: 65) == [0, 0])
    try input.write(Bytes([5]), at: kept - 1)
    #expect(reader.read(1, at: kept - 1) == [5])
  }
}
