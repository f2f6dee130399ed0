import Foundation
import Memes
import SQLite

/// How a caption came out, as the JSON in the column `fit`. The names are part of the stored data.
struct StoredFit: Codable {
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

  static func decode(_ json: String) throws(SQLiteError) -> [CaptionFit] {
    // Pictures without captions are many.
    if json == "[]" { return [] }
    do {
      return try JSONDecoder().decode([StoredFit].self, from: Data(json.utf8)).map { fit in
        guard let position = CaptionFit.Position(rawValue: fit.position) else {
          throw SQLiteError(.mismatch, "A fit is stored with an unknown position.")
        }
        return CaptionFit(
          position: position, fontSize: fit.fontSize, lines: fit.lines, shrunk: fit.shrunk,
          truncated: fit.truncated, missingGlyphs: fit.missingGlyphs)
      }
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(.mismatch, "A fit is stored that cannot be read: \(error)")
    }
  }

  private init(_ fit: CaptionFit) {
    (position, fontSize, lines) = (fit.position.rawValue, fit.fontSize, fit.lines)
    (shrunk, truncated, missingGlyphs) = (fit.shrunk, fit.truncated, fit.missingGlyphs)
  }
}
