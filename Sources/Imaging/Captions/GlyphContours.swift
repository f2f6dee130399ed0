import CPangoCairo

/// The contours of a glyph as closed polygons, in pixels of the surface. Curves are divided until the polygon is within
/// Cairo's tolerance. The letter is to the right of each edge.
struct GlyphContours {
  private(set) var polygons: [[SIMD2<Double>]] = []
  /// Whether a polygon crosses itself, as some do in fonts that look worn. It is then not known on which side the letter
  /// is. A polygon whose loops turn in opposite directions is not found.
  private(set) var crossThemselves = false

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
    turn()
  }

  /// For tests.
  init(_ polygons: [[SIMD2<Double>]]) {
    self.polygons = polygons
    turn()
  }

  /// Lets all contours turn clockwise, and those of counters the other way. TrueType has this direction, PostScript
  /// the opposite one, and in some fonts parts of a letter differ.
  private mutating func turn() {
    let areas = polygons.map(Self.area)
    // A counter is smaller than what it is in.
    guard let largest = areas.max(by: { abs($0) < abs($1) }) else { return }
    let counters = polygons.indices.map { index in
      (areas[index] < 0) != (largest < 0) && isWithinOthers(index)
    }
    for index in polygons.indices where (areas[index] < 0) != counters[index] {
      polygons[index].reverse()
    }
    crossThemselves = polygons.contains { abs(Self.turns(of: $0)) != 1 }
  }

  private func isWithinOthers(_ index: Int) -> Bool {
    polygons[index].contains { point in
      polygons.indices.reduce(0) { $0 + ($1 == index ? 0 : Self.windings(of: polygons[$1], point)) }
        != 0
    }
  }

  /// Twice the area, positive if the polygon turns clockwise.
  private static func area(_ polygon: [SIMD2<Double>]) -> Double {
    guard var last = polygon.last else { return 0 }
    var sum = 0.0
    for corner in polygon {
      sum += last.x * corner.y - last.y * corner.x
      last = corner
    }
    return sum
  }

  /// How often the direction of the edges turns around. Along a polygon that does not cross itself, it is once.
  private static func turns(of polygon: [SIMD2<Double>]) -> Int {
    guard var last = polygon.last else { return 0 }
    var ways: [SIMD2<Double>] = []
    ways.reserveCapacity(polygon.count)
    for corner in polygon where corner != last {
      ways.append(corner - last)
      last = corner
    }
    return windings(of: ways, SIMD2())
  }

  /// How often a polygon turns around a point.
  private static func windings(of polygon: [SIMD2<Double>], _ point: SIMD2<Double>) -> Int {
    guard var last = polygon.last else { return 0 }
    var sum = 0
    for corner in polygon {
      defer { last = corner }
      guard (last.y <= point.y) != (corner.y <= point.y) else { continue }
      let share = (point.y - last.y) / (corner.y - last.y)
      if last.x + share * (corner.x - last.x) > point.x { sum += last.y < corner.y ? 1 : -1 }
    }
    return sum
  }
}
