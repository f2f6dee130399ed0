import Bytes

/// Pixels as they were in a ``PixelBuffer``, to be put into one again. They never change, so any thread may have them.
package struct PixelCopy: Sendable {
  fileprivate let width: Int
  fileprivate let height: Int
  fileprivate let channels: Int
  fileprivate let pixels: Bytes

  package var byteCount: Int { pixels.count }
}

extension PixelBuffer {
  /// - Returns: `nil` where there is no memory for a copy.
  package func copy() -> PixelCopy? {
    let source = UnsafeRawBufferPointer(pixels)
    let bytes = withExtendedLifetime(self) {
      Bytes(count: source.count) { $0.copyMemory(from: source) }
    }
    return bytes.map {
      PixelCopy(width: width, height: height, channels: channels, pixels: $0)
    }
  }

  /// Becomes what the other buffer was when it was copied.
  ///
  /// - Throws: ``ImagingError/outOfMemory(_:)``.
  package func restore(_ copy: PixelCopy) throws(ImagingError) {
    try reserve(width: copy.width, height: copy.height, channels: copy.channels)
    reshape(width: copy.width, height: copy.height, channels: copy.channels)
    copy.pixels.withUnsafeBytes { pixels.copyMemory(from: $0) }
  }
}
