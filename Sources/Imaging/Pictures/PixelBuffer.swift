import Foundation

/// A mutable buffer of decoded pixels: rows of 8-bit sRGB, with or without alpha, without gaps.
///
/// The buffer keeps its memory from one picture to the next, because fresh pages cost more than drawing. Alpha is not
/// premultiplied. Only one thread at a time may use a buffer.
package final class PixelBuffer {
  package private(set) var width = 0
  package private(set) var height = 0
  /// 3 for RGB, 4 for RGBA.
  package private(set) var channels = 3
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  package init() {}

  deinit { memory.deallocate() }

  /// The number of bytes that the buffer keeps for later pictures.
  package var keptBytes: Int { memory.count }

  package var bytesPerRow: Int { width * channels }
  package var hasAlpha: Bool { channels == 4 }

  /// The rows, valid until the buffer changes its shape or is deallocated.
  package var pixels: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: bytesPerRow * height)
  }

  /// Sets the buffer's shape. The pixels keep whatever values the memory holds.
  ///
  /// Terminates the process if memory runs out; ``reserve(width:height:channels:)`` throws an error instead.
  package func reshape(width: Int, height: Int, channels: Int) {
    let needed = width * height * channels
    if needed > memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: needed, alignment: MemoryLayout<UInt64>.alignment)
    }
    (self.width, self.height, self.channels) = (width, height, channels)
  }

  /// Allocates the memory for a shape. Call this before ``reshape(width:height:channels:)`` if a
  /// client determines the size.
  ///
  /// - Throws: ``ImagingError/outOfMemory(_:)``. The buffer is then empty.
  func reserve(width: Int, height: Int, channels: Int) throws(ImagingError) {
    let needed = width * height * channels
    guard needed > memory.count else { return }
    trim(to: 0)
    guard let larger = malloc(needed) else {
      throw .outOfMemory("\(width) × \(height) pixels")
    }
    // deallocate() calls free(), so it also accepts memory from malloc().
    memory = UnsafeMutableRawBufferPointer(start: larger, count: needed)
  }

  /// Changes the shape and keeps the existing bytes.
  func grow(width: Int, height: Int, channels: Int) throws(ImagingError) {
    let needed = width * height * channels
    if needed > memory.count {
      guard let larger = realloc(memory.baseAddress, needed) else {
        throw .outOfMemory("\(width) × \(height) pixels")
      }
      memory = UnsafeMutableRawBufferPointer(start: larger, count: needed)
    }
    reshape(width: width, height: height, channels: channels)
  }

  /// Frees the memory if it is larger than `bytes`. The buffer is empty afterwards.
  package func trim(to bytes: Int) {
    (width, height) = (0, 0)
    guard memory.count > bytes else { return }
    memory.deallocate()
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Copies the shape and pixels of another buffer into this one.
  func copy(_ other: PixelBuffer) throws(ImagingError) {
    try reserve(width: other.width, height: other.height, channels: other.channels)
    reshape(width: other.width, height: other.height, channels: other.channels)
    pixels.copyMemory(from: UnsafeRawBufferPointer(other.pixels))
    withExtendedLifetime(other) {}
  }

  /// Makes the buffer a fully transparent picture.
  package func clear(width: Int, height: Int) throws(ImagingError) {
    try reserve(width: width, height: height, channels: 4)
    reshape(width: width, height: height, channels: 4)
    pixels.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Makes the buffer an RGB picture of one color.
  package func fill(width: Int, height: Int, with colour: InkColor) {
    reshape(width: width, height: height, channels: 3)
    let (bytes, pixel) = (pixels, [colour.red, colour.green, colour.blue])
    for index in bytes.indices { bytes[index] = pixel[index % 3] }
  }

  /// Blends the picture over white, in place: RGBA becomes RGB, and RGB stays unchanged.
  package func flatten() {
    guard channels == 4 else { return }
    let bytes = pixels
    for index in 0..<width * height {
      let alpha = UInt32(bytes[4 * index + 3])
      for channel in 0..<3 {
        let colour = UInt32(bytes[4 * index + channel])
        bytes[3 * index + channel] = UInt8((colour * alpha + 255 * (255 - alpha) + 127) / 255)
      }
    }
    channels = 3
  }

  /// Whether no pixel is transparent, even partly.
  var isOpaque: Bool {
    guard channels == 4 else { return true }
    let bytes = pixels
    for index in 0..<width * height where bytes[4 * index + 3] != 255 { return false }
    return true
  }

  /// Converts RGBA to RGB if all pixels are opaque.
  package func dropOpaqueAlpha() {
    guard channels == 4, isOpaque else { return }
    let bytes = pixels
    for index in 0..<width * height {
      bytes[3 * index] = bytes[4 * index]
      bytes[3 * index + 1] = bytes[4 * index + 1]
      bytes[3 * index + 2] = bytes[4 * index + 2]
    }
    channels = 3
  }
}
