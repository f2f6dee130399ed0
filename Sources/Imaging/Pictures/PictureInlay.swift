import CPangoCairo

/// A box of a picture into which another picture is drawn.
package struct PictureInlay {
  package enum Fit {
    /// The whole picture is visible.
    case contain
    /// The whole box is covered, and the rest of the picture is cut off.
    case cover
  }

  private let box: InkBox
  private let fit: Fit
  /// In degrees, clockwise, about the center of the box.
  private let rotation: Double

  package init(box: InkBox, fit: Fit, rotation: Double) {
    (self.box, self.fit, self.rotation) = (box, fit, rotation)
  }

  /// The maximum edge of a picture that is drawn.
  private static let longestEdge = 16_384

  /// The size at which a picture fills the box; `nil` if nothing of it is visible.
  package func size(ofWidth width: Int, height: Int) -> (width: Int, height: Int)? {
    guard box.width > 0, box.height > 0, width > 0, height > 0 else { return nil }
    let (across, down) = (
      Double(box.width) / Double(width), Double(box.height) / Double(height)
    )
    let scale = fit == .contain ? min(across, down) : max(across, down)
    // Cairo has 24 bits for the integer part of a coordinate.
    func edge(_ length: Int) -> Int {
      Int(min(max(1, (Double(length) * scale).rounded()), 4_000_000))
    }
    return (edge(width), edge(height))
  }

  /// The edge to which a picture is scaled down before it is drawn.
  package func decodedEdge(ofWidth width: Int, height: Int) -> Int {
    let size = size(ofWidth: width, height: height) ?? (1, 1)
    return min(Self.longestEdge, max(size.width, size.height))
  }

  /// Draws a picture into the box, clipped to the edges of `target`.
  ///
  /// - Parameter rows: the rows of `target` that may change; `nil` for all.
  package func draw(
    _ picture: PixelBuffer, on target: PixelBuffer, rows: Range<Int>? = nil
  ) throws(ImagingError) {
    guard let size = size(ofWidth: picture.width, height: picture.height) else { return }
    let surface = try Self.surface(of: picture)
    defer { cairo_surface_destroy(surface) }
    let left = Double(box.left + (box.width - size.width) / 2)
    let top = Double(box.top + (box.height - size.height) / 2)
    let (width, height) = (
      Double(min(size.width, box.width)), Double(min(size.height, box.height))
    )
    let (visibleLeft, visibleTop) = (max(left, Double(box.left)), max(top, Double(box.top)))
    let turn = Turn(degrees: rotation, about: box)
    var bounds = turn.bounds(left: visibleLeft, top: visibleTop, width: width, height: height)
    if let rows {
      bounds.top = max(bounds.top, Double(rows.lowerBound))
      bounds.bottom = min(bounds.bottom, Double(rows.upperBound))
    }
    guard let bounds = PixelBounds(touchedBy: bounds, of: target) else { return }
    try CaptionOverlay.draw(within: bounds, on: target) { cairo in
      turn.apply(to: cairo)
      // An exact rectangle has no soft edges, which would let the picture below shine through.
      cairo_rectangle(cairo, visibleLeft, visibleTop, width, height)
      cairo_translate(cairo, left, top)
      cairo_scale(
        cairo, Double(size.width) / Double(picture.width),
        Double(size.height) / Double(picture.height))
      cairo_set_source_surface(cairo, surface, 0, 0)
      cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD)
      cairo_fill(cairo)
    }
  }

  /// The pixels as Cairo has them: 32 bits, premultiplied.
  private static func surface(of picture: PixelBuffer) throws(ImagingError) -> OpaquePointer {
    let format = picture.hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24
    guard
      let surface = cairo_image_surface_create(
        format, Int32(picture.width), Int32(picture.height)),
      let data = cairo_image_surface_get_data(surface)
    else { throw .outOfMemory("\(picture.width) × \(picture.height) pixels") }
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    let (pixels, channels) = (picture.pixels, picture.channels)
    for row in 0..<picture.height {
      let line = UnsafeMutableRawPointer(data + row * stride).assumingMemoryBound(to: UInt32.self)
      let start = row * picture.bytesPerRow
      for column in 0..<picture.width {
        let place = start + column * channels
        let alpha = channels == 4 ? UInt32(pixels[place + 3]) : 255
        func part(_ channel: Int) -> UInt32 {
          (UInt32(pixels[place + channel]) * alpha + 127) / 255
        }
        line[column] = alpha << 24 | part(0) << 16 | part(1) << 8 | part(2)
      }
    }
    withExtendedLifetime(picture) {}
    cairo_surface_mark_dirty(surface)
    return surface
  }
}
