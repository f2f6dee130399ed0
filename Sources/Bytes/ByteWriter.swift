/// Collects bytes in a growing buffer and hands the buffer over without a copy.
package struct ByteWriter: ~Copyable {
  @usableFromInline
  var memory: UnsafeMutableRawBufferPointer
  /// The number of bytes written so far.
  @usableFromInline
  package internal(set) var count = 0

  /// - Parameter capacity: the number of bytes that fit before the buffer has to grow.
  package init(capacity: Int = 256) {
    memory = Self.allocated(max(capacity, 16))
  }

  deinit { memory.deallocate() }

  @inlinable
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    memory[count] = byte
    count += 1
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    append(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// Appends the text's UTF-8.
  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends a whole number in decimal digits.
  package mutating func append(_ number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var digits = 1
    var power: UInt = 10
    while digits < 19, rest >= power {
      digits += 1
      power *= 10
    }
    append(count: digits) { memory in
      for position in memory.indices.reversed() {
        memory[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }

  /// Appends `count` bytes, all of which `fill` must initialize.
  @inlinable
  package mutating func append(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    reserve(count)
    fill(UnsafeMutableRawBufferPointer(rebasing: memory[self.count..<self.count + count]))
    self.count += count
  }

  /// Calls `body` with the bytes written so far. The pointer is valid only during the call.
  package borrowing func withUnsafeBytes<Result>(
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Returns the collected bytes. Call it last.
  package consuming func finish() -> Bytes {
    // Callers account for memory by `count`: shrink the buffer if the unused part exceeds an eighth of `count`.
    if memory.count - count > count / 8 { resize(to: count) }
    let (memory, count) = (memory, count)
    discard self
    return Bytes(allocated: memory, count: count)
  }

  @usableFromInline
  mutating func reserve(_ more: Int) {
    if memory.count - count < more { resize(to: max(2 * memory.count, count + more)) }
  }

  private mutating func resize(to byteCount: Int) {
    let larger = Self.allocated(byteCount)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
    memory.deallocate()
    memory = larger
  }

  private static func allocated(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
    .allocate(byteCount: byteCount, alignment: MemoryLayout<UInt64>.alignment)
  }
}
