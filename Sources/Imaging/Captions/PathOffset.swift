import Foundation

/// Widens letters: moves each edge of a contour to its left, by half the width of a pen.
struct PathOffset {
  enum Join {
    case round
    /// Pointed, unless the corner would extend farther than this, in distances. Then it is cut off.
    case miter(limit: Double)
  }

  private let distance: Double
  private let join: Join
  /// The angle between the straight pieces of a round corner. They are at most an eighth of a pixel away from it.
  private let step: Double
  private let cosineOfStep: Double

  /// - Parameter distance: in pixels.
  init(distance: Double, join: Join) {
    (self.distance, self.join) = (distance, join)
    step = min(.pi / 4, 2 * acos(1 - 0.125 / max(distance, 0.125)))
    cosineOfStep = cos(step)
  }

  private struct Edge {
    let start: SIMD2<Double>
    let length: Double
    /// A unit vector.
    let direction: SIMD2<Double>
    /// From the edge to the moved edge.
    let offset: SIMD2<Double>
  }

  /// Polygons that cover the widened letter. If its contours cross, they cover only the way of a pen.
  func polygons(around contours: GlyphContours) -> [[SIMD2<Double>]] {
    guard distance > 0 else { return contours.polygons }
    var polygons = contours.polygons.map(polygon(around:))
    if contours.areCrossing {
      // The strips on both sides stay, and each contour and its reverse cancel out.
      polygons += contours.polygons.map { polygon(around: $0.reversed()) }
    }
    return polygons
  }

  /// The contour with its edges moved to their left, away from the letter.
  ///
  /// It is the sum of the contour, a strip along each edge, and a piece for each corner that points outwards; sides
  /// that two of them share cancel out. All of them turn in the direction of a letter. The nonzero winding rule
  /// therefore leaves no hole in a counter that is smaller than the offset, although the polygon crosses itself there.
  private func polygon(around contour: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let edges = edges(of: contour)
    guard var before = edges.last else { return [] }
    var polygon: [SIMD2<Double>] = []
    polygon.reserveCapacity(3 * edges.count)
    for edge in edges {
      addCorner(from: before, to: edge, to: &polygon)
      before = edge
    }
    return polygon
  }

  private func edges(of contour: [SIMD2<Double>]) -> [Edge] {
    var edges: [Edge] = []
    edges.reserveCapacity(contour.count)
    guard var start = contour.last else { return edges }
    for end in contour {
      let way = end - start
      let length = (way * way).sum().squareRoot()
      guard length > 0 else { continue }
      let direction = way / length
      edges.append(
        Edge(
          start: start, length: length, direction: direction,
          offset: SIMD2(direction.y, -direction.x) * distance))
      start = end
    }
    return edges
  }

  private func addCorner(
    from before: Edge, to edge: Edge, to polygon: inout [SIMD2<Double>]
  ) {
    let corner = edge.start
    let (first, last) = (before.offset, edge.offset)
    let cross = before.direction.x * edge.direction.y - before.direction.y * edge.direction.x
    let dot = (before.direction * edge.direction).sum()
    // The turn is as small as within a round corner, and the moved edges do not pass each other.
    if dot >= cosineOfStep,
      2 * distance * abs(cross) <= (1 + dot) * min(before.length, edge.length)
    {
      polygon.append(corner + (first + last) / (1 + dot))
      return
    }
    polygon.append(corner + first)
    if cross < 0 {
      // It points inwards. The strips of its edges overlap.
      polygon.append(corner)
    } else {
      addJoin(around: corner, from: first, cross, dot, to: last, to: &polygon)
    }
    polygon.append(corner + last)
  }

  /// Adds what is between two moved edges at a corner that points outwards.
  private func addJoin(
    around corner: SIMD2<Double>, from first: SIMD2<Double>, _ cross: Double, _ dot: Double,
    to last: SIMD2<Double>, to polygon: inout [SIMD2<Double>]
  ) {
    switch join {
    case .round:
      // The sign of a zero does not count.
      let angle = abs(atan2(cross, dot))
      let steps = max(1, (angle / step).rounded(.up))
      let (sine, cosine) = (sin(angle / steps), cos(angle / steps))
      var point = first
      for _ in 1..<Int(steps) {
        point = SIMD2(point.x * cosine - point.y * sine, point.x * sine + point.y * cosine)
        polygon.append(corner + point)
      }
    case .miter(let limit):
      if 2 <= limit * limit * (1 + dot) { polygon.append(corner + (first + last) / (1 + dot)) }
    }
  }
}
