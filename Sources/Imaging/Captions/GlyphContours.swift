import CPangoCairo

/// The contours of a glyph as closed polygons, in pixels of the surface. Curves are divided until the polygon is within
/// Cairo's tolerance. The letter is to the right of each edge, unless contours cross.
struct GlyphContours {
  private(set) var polygons: [[SIMD2<Double>]] = []
  /// Whether a contour crosses itself, or one of the opposite direction, as in fonts that look worn. It is then unknown
  /// on which side of an edge the letter is. Not found if the additional turns of a contour's loops cancel out.
  private(set) var areCrossing = false

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

  /// - Parameter polygons: contours that do not cross, with the letter to the right of each edge.
  init(turned polygons: [[SIMD2<Double>]]) { self.polygons = polygons }

  /// For tests.
  init(_ polygons: [[SIMD2<Double>]]) {
    self.polygons = polygons
    turn()
  }

  /// Turns contours clockwise, and those of counters the other way. TrueType has this direction, PostScript the
  /// opposite one, and in some fonts parts of a letter differ.
  private mutating func turn() {
    let areas = polygons.map(Self.area)
    var isCounter = polygons.map { _ in false }
    if areas.contains(where: { $0 < 0 }), areas.contains(where: { $0 > 0 }) {
      let bounds = polygons.map(Bounds.init(of:))
      for index in polygons.indices where areas[index] != 0 {
        let own = areas[index] > 0 ? 1 : -1
        let empty = polygons[index].count { corner in
          windingsOfOthers(index, around: corner, within: bounds) + own == 0
        }
        isCounter[index] = empty > 0
        areCrossing = areCrossing || empty > 0 && empty < polygons[index].count
      }
    }
    // A contour of two corners is a line.
    areCrossing =
      areCrossing || polygons.contains { $0.count > 2 && abs(Self.turns(of: $0)) != 1 }
    guard !areCrossing else { return }
    for index in polygons.indices where (areas[index] < 0) != isCounter[index] {
      polygons[index].reverse()
    }
  }

  private func windingsOfOthers(
    _ index: Int, around point: SIMD2<Double>, within bounds: [Bounds]
  ) -> Int {
    polygons.indices.reduce(0) { sum, other in
      other == index || !bounds[other].contains(point)
        ? sum : sum + Self.windings(of: polygons[other], point)
    }
  }

  private struct Bounds {
    private var least = SIMD2(repeating: Double.infinity)
    private var most = SIMD2(repeating: -Double.infinity)

    init(of polygon: [SIMD2<Double>]) {
      for corner in polygon {
        least.replace(with: corner, where: corner .< least)
        most.replace(with: corner, where: corner .> most)
      }
    }

    func contains(_ point: SIMD2<Double>) -> Bool {
      point.x >= least.x && point.y >= least.y && point.x <= most.x && point.y <= most.y
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
