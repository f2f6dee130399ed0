import CPangoCairo
import Foundation

/// A rotation about the center of a box.
struct Turn {
  private let radians: Double
  private let middle: (x: Double, y: Double)

  /// - Parameter degrees: clockwise.
  init(degrees: Double, about box: InkBox) {
    radians = degrees * .pi / 180
    middle = (Double(box.left) + Double(box.width) / 2, Double(box.top) + Double(box.height) / 2)
  }

  func apply(to cairo: OpaquePointer) {
    guard radians != 0 else { return }
    cairo_translate(cairo, middle.x, middle.y)
    cairo_rotate(cairo, radians)
    cairo_translate(cairo, -middle.x, -middle.y)
  }

  /// Returns the bounds of a rectangle after the rotation.
  func bounds(
    left: Double, top: Double, width: Double, height: Double
  ) -> (left: Double, top: Double, right: Double, bottom: Double) {
    guard radians != 0 else { return (left, top, left + width, top + height) }
    let (x, y) = (left + width / 2 - middle.x, top + height / 2 - middle.y)
    let (sine, cosine) = (sin(radians), cos(radians))
    let centre = (x: middle.x + x * cosine - y * sine, y: middle.y + x * sine + y * cosine)
    let across = (width * abs(cosine) + height * abs(sine)) / 2
    let down = (width * abs(sine) + height * abs(cosine)) / 2
    return (centre.x - across, centre.y - down, centre.x + across, centre.y + down)
  }
}
