import Foundation

/// The pictures that tests upload. `script/fixtures` makes them.
package enum Fixture: String, CaseIterable, Sendable {
  /// 640×480.
  case photo = "photo.jpg"
  /// 320×240, progressive.
  case progressive = "progressive.jpg"
  /// 267×200, in CMYK.
  case cmyk = "cmyk.jpg"
  /// 320×240.
  case webp = "photo.webp"
  /// 320×240. Read only if `MEMEME_DECODERS` allows it.
  case avif = "photo.avif"
  /// 120×90, half of it transparent.
  case transparent = "transparent.png"
  /// The same as WebP.
  case transparentWebP = "transparent.webp"
  /// 120×90, with an opaque alpha channel.
  case opaqueAlpha = "opaque-alpha.png"
  /// 100×80, three frames.
  case moving = "moving.gif"

  package var bytes: [UInt8] {
    get throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent()
      return [UInt8](try Data(contentsOf: folder.appending(path: "Fixtures/\(rawValue)")))
    }
  }
}
