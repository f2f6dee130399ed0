import Bytes
import Synchronization
import Testing

@Suite struct BytesTests {
  @Test func `bytes are returned as they were copied in`() {
    #expect(Bytes([1, 2, 3]).withUnsafeBytes { Array($0) } == [1, 2, 3])
    #expect(Bytes("grüße").utf8Text == "grüße")
    #expect(Bytes("").isEmpty)
    #expect(Bytes() == Bytes([]))
    #expect(Bytes([0xFF, 0xFE]).utf8Text == nil)
  }

  @Test func `bytes are equal by content, not by location`() throws {
    let whole = Bytes([9, 1, 2, 9])
    #expect(whole.slice(1..<3) == Bytes([1, 2]))
    #expect(whole != Bytes([9, 1, 2]))
    #expect(Bytes([1, 2]) != Bytes([1, 3]))
  }

  @Test func `a slice is relative to its parent, and nil outside of its bounds`() throws {
    let slice = try #require(Bytes([0, 1, 2, 3, 4]).slice(1..<5))
    #expect(slice.slice(1..<3) == Bytes([2, 3]))
    #expect(slice.slice(4..<4)?.count == 0)
    #expect(slice.slice(3..<5) == nil)
    #expect(slice.slice(-1..<2) == nil)
  }

  @Test func `adopted memory is freed once, after the last slice is released`() {
    let freed = Freed()
    var slice: Bytes? = freed.adopted([5, 6, 7, 8]).slice(2..<4)
    #expect(slice == Bytes([7, 8]))
    #expect(freed.count == 0)
    slice = nil
    #expect(freed.count == 1)
  }

  @Test func `memory handed to C lives until it is released`() throws {
    let freed = Freed()
    let handle: UnsafeMutableRawPointer
    do {
      let retained = try #require(freed.adopted([1, 2]).slice(1..<2)).retained()
      #expect(retained.start?.load(as: UInt8.self) == 2)
      handle = retained.handle
    }
    #expect(freed.count == 0)
    Bytes.release(handle)
    #expect(freed.count == 1)
  }

  @Test func `an error while filling reaches the caller`() {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try Bytes(count: 4) { _ throws(Refused) in throw Refused() }
    }
  }
}

/// Counts how often memory is freed.
private final class Freed: Sendable {
  private let times = Mutex(0)

  var count: Int { times.withLock { $0 } }

  func adopted(_ content: [UInt8]) -> Bytes {
    // Deallocated once, below.
    nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: content.count, alignment: 1)
    memory.copyBytes(from: content)
    return Bytes(adopting: UnsafeRawBufferPointer(memory)) {
      memory.deallocate()
      self.times.withLock { $0 += 1 }
    }
  }
}
