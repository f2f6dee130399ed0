import Foundation
import Memes

/// The layout result of a caption, as JSON in the column `fit`. The names of the properties are part of the stored
/// data. ``StoredFitReader`` reads it.
struct StoredFit: Encodable {
  let position: String
  let fontSize: Double
  let lines: Int
  let shrunk: Bool
  let truncated: Bool
  let missingGlyphs: [String]

  static func encode(_ fits: [CaptionFit]) throws -> String {
    do {
      return String(decoding: try JSONEncoder().encode(fits.map(StoredFit.init)), as: UTF8.self)
    } catch {
      // The font size is not finite.
      throw MemeError.storage(error)
    }
  }

  private init(_ fit: CaptionFit) {
    (position, fontSize, lines) = (fit.position.description, fit.fontSize, fit.lines)
    (shrunk, truncated, missingGlyphs) = (fit.shrunk, fit.truncated, fit.missingGlyphs)
  }
}
