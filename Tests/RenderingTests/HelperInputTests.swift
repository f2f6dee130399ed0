import Bytes
import Foundation
import Testing

@testable import Rendering

struct HelperInputTests {
  /// The bytes at `offset`, as the process reads them.
  private func read(_ input: HelperInput, _ count: Int, at offset: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: count)
    let read = bytes.withUnsafeMutableBytes {
      pread(input.readable, $0.baseAddress, count, off_t(offset))
    }
    return Array(bytes.prefix(max(0, read)))
  }

  private func size(_ input: HelperInput) -> Int? { FileStatus(of: input.readable)?.byteCount }

  @Test func `the process reads what the server writes`() throws {
    let input = try HelperInput()
    try input.write(Bytes([1, 2, 3]), at: 0)
    try input.write(Bytes(Array(repeating: 7, count: 100_000)), at: 64)
    #expect(read(input, 4, at: 0) == [1, 2, 3, 0])
    #expect(read(input, 3, at: 100_062) == [7, 7, 0])
    try input.write(Bytes([4]), at: 0)
    #expect(read(input, 2, at: 0) == [4, 2])
  }

  @Test func `the descriptor of the process does not write`() throws {
    let input = try HelperInput()
    var byte: UInt8 = 9
    #expect(pwrite(input.readable, &byte, 1, 0) == -1 && errno == EBADF)
    #expect(ftruncate(input.readable, 0) == -1 && errno == EINVAL)
    #expect(
      mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, input.readable, 0) == MAP_FAILED
        && errno == EACCES)
  }

  #if os(Linux)
    /// A write to a mapping beyond the end of the file ends the process.
    @Test func `nobody can shorten the file, not even through another descriptor`() throws {
      let input = try HelperInput()
      let kept = try #require(size(input))
      let again = open("/proc/self/fd/\(input.readable)", O_RDWR | O_CLOEXEC)
      try #require(again >= 0)
      defer { close(again) }
      #expect(ftruncate(again, 0) == -1 && errno == EPERM)
      #expect(size(input) == kept)
      try input.write(Bytes([5]), at: kept - 1)
      #expect(read(input, 1, at: kept - 1) == [5])
    }
  #endif

  @Test func `files that are larger than the mapping are written, and their memory is returned`()
    throws
  {
    let input = try HelperInput()
    let kept = try #require(size(input))
    let large = Bytes((0..<kept).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try input.write(large, at: 64)
    #expect(size(input) == kept + 64)
    #expect(read(input, kept, at: 64) == large.withUnsafeBytes { Array($0) })
    input.trim()
    #expect(read(input, 32, at: kept).allSatisfy { $0 == 0 })
    #expect(read(input, 2, at: 65) == [31, 62])
    input.clear()
    #expect(try #require(size(input)) >= kept && read(input, 2, at: 65) == [0, 0])
    try input.write(Bytes([5]), at: kept - 1)
    #expect(read(input, 1, at: kept - 1) == [5])
  }
}
