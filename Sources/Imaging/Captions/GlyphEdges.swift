import CPangoCairo

/// The edges of a glyph as closed polygons, in pixels of the surface. Curves are divided until the polygon is within
/// Cairo's tolerance.
struct GlyphEdges {
  private(set) var polygons: [[SIMD2<Double>]] = []

  /// The current path, wherever it was drawn.
  init(pathOf cairo: OpaquePointer) {
    cairo_save(cairo)
    cairo_identity_matrix(cairo)
    defer { cairo_restore(cairo) }
    guard let path = cairo_copy_path_flat(cairo) else { return }
    defer { cairo_path_destroy(path) }
    guard path.pointee.status == CAIRO_STATUS_SUCCESS, let data = path.pointee.data else { return }
    var polygon: [SIMD2<Double>] = []
    var index = 0
    while index < Int(path.pointee.num_data) {
      let header = data[index].header
      switch header.type {
      case CAIRO_PATH_MOVE_TO, CAIRO_PATH_CLOSE_PATH:
        if polygon.count > 1 { polygons.append(polygon) }
        polygon.removeAll(keepingCapacity: true)
        if header.type == CAIRO_PATH_MOVE_TO { fallthrough }
      default:
        let point = data[index + 1].point
        polygon.append(SIMD2(point.x, point.y))
      }
      index += Int(header.length)
    }
    if polygon.count > 1 { polygons.append(polygon) }
  }
}
