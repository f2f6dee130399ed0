import Foundation
import Memes
import SQL

/// A box with a picture, as JSON in the column `pictures`. The names of the properties are part of the stored data.
struct StoredPictureBox: Codable {
  private let x: Double
  private let y: Double
  private let width: Double
  private let height: Double
  private let rotation: Double
  private let fit: String

  static func encode(_ boxes: [PictureBox]) throws -> String {
    if boxes.isEmpty { return "[]" }
    do {
      return String(
        decoding: try JSONEncoder().encode(boxes.map(StoredPictureBox.init)), as: UTF8.self)
    } catch {
      // A number is not finite.
      throw MemeError.storage(error)
    }
  }

  /// - Throws: `.mismatch` if the text is not the output of ``encode(_:)``.
  static func decode(_ json: String) throws -> [PictureBox] {
    if json == "[]" { return [] }
    do {
      let stored = try JSONDecoder().decode([StoredPictureBox].self, from: Data(json.utf8))
      return try stored.map { try $0.box() }
    } catch {
      throw DatabaseError(.mismatch, "Invalid pictures in the database.")
    }
  }

  private init(_ box: PictureBox) {
    (x, y, width, height) = (box.place.x, box.place.y, box.place.width, box.place.height)
    (rotation, fit) = (box.rotation, box.fit.rawValue)
  }

  private func box() throws -> PictureBox {
    guard let place = CaptionBox.Place(x: x, y: y, width: width, height: height),
      CaptionBox.rotations.contains(rotation), let fit = PictureBox.Fit(rawValue: fit)
    else { throw DatabaseError(.mismatch, "Invalid box in the database.") }
    return PictureBox(place: place, rotation: rotation, fit: fit)
  }
}
