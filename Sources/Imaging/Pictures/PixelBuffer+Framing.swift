import Foundation

/// Operations that change a picture's edges.
extension PixelBuffer {
  /// Keeps only this area, in place. Ignores any part of it outside the picture.
  func crop(to area: CropArea) {
    let columns = (area.left..<area.left + area.width).clamped(to: 0..<width)
    let rows = (area.top..<area.top + area.height).clamped(to: 0..<height)
    guard columns.count < width || rows.count < height, let start = pixels.baseAddress else {
      return
    }
    let count = columns.count * channels
    for (place, row) in rows.enumerated() {
      let source = start + row * bytesPerRow + columns.lowerBound * channels
      memmove(start + place * count, source, count)
    }
    reshape(width: columns.count, height: rows.count, channels: channels)
  }

  /// Adds white rows.
  package func addBars(above: Int, below: Int) throws(ImagingError) {
    guard above > 0 || below > 0 else { return }
    let (picture, head) = (bytesPerRow * height, bytesPerRow * max(0, above))
    try grow(width: width, height: height + max(0, above) + max(0, below), channels: channels)
    guard let start = pixels.baseAddress else { return }
    memmove(start + head, start, picture)
    memset(start, 255, head)
    memset(start + head + picture, 255, pixels.count - head - picture)
  }
}
