import Foundation

/// Decoded pixels that we own and may change: rows of 8-bit sRGB or sRGB with alpha, without gaps.
///
/// The memory is kept from one picture to the next, because fresh pages cost more than drawing does. One thread at
/// a time uses a buffer; alpha is not premultiplied.
package final class PixelBuffer {
  package private(set) var width = 0
  package private(set) var height = 0
  /// 3 for RGB, 4 for RGBA.
  package private(set) var channels = 3
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  package init() {}

  deinit { memory.deallocate() }

  /// The bytes that it keeps for the pictures to come.
  package var keptBytes: Int { memory.count }

  package var bytesPerRow: Int { width * channels }
  package var hasAlpha: Bool { channels == 4 }

  /// The rows, valid until the buffer is given another shape or goes away.
  package var pixels: UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: bytesPerRow * height)
  }

  /// Gives the buffer a shape. The pixels are whatever was there before.
  ///
  /// Ends the process where there is no memory; ``reserve(width:height:channels:)`` says so instead.
  package func reshape(width: Int, height: Int, channels: Int) {
    let needed = width * height * channels
    if needed > memory.count {
      memory.deallocate()
      memory = .allocate(byteCount: needed, alignment: MemoryLayout<UInt64>.alignment)
    }
    (self.width, self.height, self.channels) = (width, height, channels)
  }

  /// Takes the memory that a shape needs: before the buffer is given one whose size a client decides.
  ///
  /// - Throws: ``ImagingError/outOfMemory(_:)``; the buffer is empty then.
  func reserve(width: Int, height: Int, channels: Int) throws(ImagingError) {
    let needed = width * height * channels
    guard needed > memory.count else { return }
    trim(to: 0)
    guard let larger = malloc(needed) else {
      throw .outOfMemory("\(width) × \(height) pixels")
    }
    // deallocate() is free() for it, as for what allocate() gives.
    memory = UnsafeMutableRawBufferPointer(start: larger, count: needed)
  }

  /// Takes another shape and keeps the bytes that are there.
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

  /// Lets go of the memory if it is more than `bytes`. The buffer is empty afterwards.
  package func trim(to bytes: Int) {
    (width, height) = (0, 0)
    guard memory.count > bytes else { return }
    memory.deallocate()
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Becomes another picture's twin.
  func copy(_ other: PixelBuffer) throws(ImagingError) {
    try reserve(width: other.width, height: other.height, channels: other.channels)
    reshape(width: other.width, height: other.height, channels: other.channels)
    pixels.copyMemory(from: UnsafeRawBufferPointer(other.pixels))
    withExtendedLifetime(other) {}
  }

  /// Becomes a picture in which nothing is to be seen.
  package func clear(width: Int, height: Int) throws(ImagingError) {
    try reserve(width: width, height: height, channels: 4)
    reshape(width: width, height: height, channels: 4)
    pixels.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Becomes a picture of one colour.
  package func fill(width: Int, height: Int, with colour: InkColour) {
    reshape(width: width, height: height, channels: 3)
    let (bytes, pixel) = (pixels, [colour.red, colour.green, colour.blue])
    for index in bytes.indices { bytes[index] = pixel[index % 3] }
  }

  /// Lays the picture over white, in place: RGBA becomes RGB, and RGB stays as it is.
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

  /// Turns RGBA in which nothing is transparent into RGB.
  package func dropOpaqueAlpha() {
    guard channels == 4 else { return }
    let bytes = pixels
    let count = width * height
    for index in 0..<count where bytes[4 * index + 3] != 255 { return }
    for index in 0..<count {
      bytes[3 * index] = bytes[4 * index]
      bytes[3 * index + 1] = bytes[4 * index + 1]
      bytes[3 * index + 2] = bytes[4 * index + 2]
    }
    channels = 3
  }
}
