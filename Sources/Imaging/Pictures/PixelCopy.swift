import Bytes

/// An immutable copy of the pixels of a ``PixelBuffer``, to be restored into a buffer later. Any thread may use it.
package struct PixelCopy: Sendable {
  fileprivate let width: Int
  fileprivate let height: Int
  fileprivate let channels: Int
  fileprivate let pixels: Bytes

  package var byteCount: Int { pixels.count }
}

extension PixelBuffer {
  /// - Returns: `nil` if there is not enough memory for a copy.
  package func copy() -> PixelCopy? {
    let source = UnsafeRawBufferPointer(pixels)
    let bytes = withExtendedLifetime(self) {
      Bytes(count: source.count) { $0.copyMemory(from: source) }
    }
    return bytes.map {
      PixelCopy(width: width, height: height, channels: channels, pixels: $0)
    }
  }

  /// Restores the shape and pixels of a copy.
  ///
  /// - Throws: ``ImagingError/outOfMemory(_:)``.
  package func restore(_ copy: PixelCopy) throws(ImagingError) {
    try reserve(width: copy.width, height: copy.height, channels: copy.channels)
    reshape(width: copy.width, height: copy.height, channels: copy.channels)
    copy.pixels.withUnsafeBytes { pixels.copyMemory(from: $0) }
  }
}
