package import Bytes
package import Imaging

/// A synthetic landscape with the statistics of a photograph: smooth sky, rough ground, hard edges, sensor noise.
///
/// The same seed and size produce the same pixels on every machine, so that results can be compared.
package enum Photo {
  /// Fills `buffer` with the picture.
  package static func make(width: Int, height: Int, seed: UInt64, into buffer: PixelBuffer) {
    buffer.reshape(width: width, height: height, channels: 3)
    let scene = Scene(seed: seed)
    let pixels = buffer.pixels
    var grain = SplitMix(seed: seed ^ 0x9E37_79B9)
    var index = 0
    // Coordinates are relative to the picture, so that every size shows the same scene.
    let scale = 1 / Float(max(width, height))
    for y in 0..<height {
      for x in 0..<width {
        let colour = scene.colour(
          x: Float(x) * scale, y: Float(y) / Float(height), depth: Float(y) * scale)
        let noise = (grain.unit() + grain.unit() + grain.unit() - 1.5) * 9
        pixels[index] = byte(colour.x + noise)
        pixels[index + 1] = byte(colour.y + noise)
        pixels[index + 2] = byte(colour.z + noise * 1.2)
        index += 3
      }
    }
  }

  /// The picture as a JPEG file of quality 90, 4:2:0.
  package static func jpeg(width: Int, height: Int, seed: UInt64) throws(ImagingError) -> Bytes {
    let buffer = PixelBuffer()
    make(width: width, height: height, seed: seed, into: buffer)
    return try PictureEncoder.jpeg(buffer, quality: 90)
  }

  private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value))) }
}
