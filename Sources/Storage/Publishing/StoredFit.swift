import Foundation
import Memes

/// How a caption came out, as the JSON in the column `fit`. The names are part of the stored data; ``StoredFitReader`` reads it.
struct StoredFit: Encodable {
  let position: String
  let fontSize: Double
  let lines: Int
  let shrunk: Bool
  let truncated: Bool
  let missingGlyphs: [String]

  static func encode(_ fits: [CaptionFit]) throws(MemeError) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(fits.map(StoredFit.init)), as: UTF8.self)
    } catch {
      // A font size that is no number.
      throw .storage(error)
    }
  }

  private init(_ fit: CaptionFit) {
    (position, fontSize, lines) = (fit.position.description, fit.fontSize, fit.lines)
    (shrunk, truncated, missingGlyphs) = (fit.shrunk, fit.truncated, fit.missingGlyphs)
  }
}
