import Foundation

/// What a round pen covers that moves along the edges of a letter.
///
/// It consists of strips along edges without sharp corners, and of a piece for each corner. They all turn in the same
/// direction, so together they cover the pen's way, however they overlap.
struct PenStroke {
  enum Join {
    case round
    /// Pointed, unless the corner would extend farther than this, in half pen widths. Then it is cut off.
    case miter(limit: Double)
  }

  private let radius: Double
  private let join: Join
  /// The angle between the straight pieces of a round corner. They are at most an eighth of a pixel away from it.
  private let step: Double
  private let cosineOfStep: Double

  /// - Parameter width: of the pen, in pixels.
  init(width: Double, join: Join) {
    (radius, self.join) = (width / 2, join)
    step = min(.pi / 4, 2 * acos(1 - 0.125 / max(radius, 0.125)))
    cosineOfStep = cos(step)
  }

  /// An edge of a polygon.
  private struct Edge {
    let start: SIMD2<Double>
    let end: SIMD2<Double>
    let length: Double
    /// A unit vector.
    let direction: SIMD2<Double>
    /// From the edge to the end of the pen, to the right of the direction.
    let side: SIMD2<Double>
  }

  /// Adds what the pen covers along a closed polygon.
  func add(_ polygon: [SIMD2<Double>], to raster: InkRaster) {
    let edges = edges(of: polygon)
    guard let last = edges.last else { return }
    // A strip that begins at a corner needs no end in the middle.
    let first = edges.indices.first {
      !continues(from: edges[$0 == 0 ? edges.count - 1 : $0 - 1], to: edges[$0])
    }
    var before = first.map { $0 == 0 ? last : edges[$0 - 1] } ?? last
    var strip = Strip()
    for index in edges.indices {
      let edge = edges[(index + (first ?? 0)) % edges.count]
      if index > 0, continues(from: before, to: edge) {
        let side = (before.side + edge.side) / (1 + (before.direction * edge.direction).sum())
        strip.add(edge.start, side)
      } else {
        strip.end(to: raster)
        addCorner(from: before, to: edge, to: raster)
        strip.add(edge.start, edge.side)
      }
      if index + 1 == edges.count
        || !continues(from: edge, to: edges[(index + 1 + (first ?? 0)) % edges.count])
      {
        strip.add(edge.end, edge.side)
      }
      before = edge
    }
    strip.end(to: raster)
  }

  private func edges(of polygon: [SIMD2<Double>]) -> [Edge] {
    var edges: [Edge] = []
    guard var start = polygon.last else { return edges }
    for end in polygon {
      let way = end - start
      let length = (way * way).sum().squareRoot()
      guard length > 0 else { continue }
      let direction = way / length
      edges.append(
        Edge(
          start: start, end: end, length: length, direction: direction,
          side: SIMD2(-direction.y, direction.x) * radius))
      start = end
    }
    return edges
  }

  /// Whether an edge continues the strip of the edge before: the turn is as small as within a round corner, and the
  /// strip does not overlap itself on its inside.
  private func continues(from before: Edge, to edge: Edge) -> Bool {
    let dot = (before.direction * edge.direction).sum()
    guard dot >= cosineOfStep else { return false }
    let overlap = 2 * radius * abs(cross(before.direction, edge.direction)) / (1 + dot)
    return overlap <= min(before.length, edge.length)
  }

  private func cross(_ first: SIMD2<Double>, _ second: SIMD2<Double>) -> Double {
    first.x * second.y - first.y * second.x
  }

  /// Adds what is between the strips of two edges, outside of their corner.
  private func addCorner(from before: Edge, to edge: Edge, to raster: InkRaster) {
    let cross = cross(before.direction, edge.direction)
    let dot = (before.direction * edge.direction).sum()
    guard cross != 0 || dot < 0 else { return }
    // The outside is on the other side of the turn. The order of the points gives all pieces the same direction.
    let (first, last) = cross > 0 ? (-edge.side, -before.side) : (before.side, edge.side)
    let corner = edge.start
    raster.add(corner)
    raster.add(corner + first)
    switch join {
    case .round:
      let angle = -abs(atan2(cross, dot))
      let steps = max(1, (-angle / step).rounded(.up))
      let (sine, cosine) = (sin(angle / steps), cos(angle / steps))
      var point = first
      for _ in 1..<Int(steps) {
        point = SIMD2(point.x * cosine - point.y * sine, point.x * sine + point.y * cosine)
        raster.add(corner + point)
      }
    case .miter(let limit):
      if 2 <= limit * limit * (1 + dot) { raster.add(corner + (first + last) / (1 + dot)) }
    }
    raster.add(corner + last)
    raster.close()
  }

  /// Both sides of edges that follow each other.
  private struct Strip {
    private var right: [SIMD2<Double>] = []
    private var left: [SIMD2<Double>] = []

    mutating func add(_ corner: SIMD2<Double>, _ side: SIMD2<Double>) {
      right.append(corner + side)
      left.append(corner - side)
    }

    mutating func end(to raster: InkRaster) {
      guard !right.isEmpty else { return }
      for point in right { raster.add(point) }
      for point in left.reversed() { raster.add(point) }
      raster.close()
      right.removeAll(keepingCapacity: true)
      left.removeAll(keepingCapacity: true)
    }
  }
}
