import Bytes
import DrawingHelper
import Foundation
import Imaging
import PhotoGenerator
import Rendering

/// Draws three contact sheets: all kinds of picture with all kinds of caption, all fonts with many scripts, and the
/// other options of a recipe.
///
/// `gallery SHEET FONTS LAYOUTS` writes them as JPEGs. With a `FOLDER` as the last argument, it also writes each meme
/// of the first sheet there, at full size.
@main
struct Gallery {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard (3...4).contains(arguments.count) else {
      FileHandle.standardError.write(
        Data("usage: gallery SHEET.jpg FONTS.jpg LAYOUTS.jpg [FOLDER]\n".utf8))
      exit(64)
    }
    let installed = try drawFaces(
      sheet: arguments[0], fonts: arguments[1], folder: arguments.dropFirst(3).first)
    let pool = WorkerDrawer.pool(RendererSettings(workers: 1))
    try await LayoutSheet(pool: pool).draw().write(to: arguments[2])
    await pool.stop()
    print("\(arguments[0]): captions in \(installed)")
  }

  /// Draws on the calling thread, to which the artist's fonts belong.
  ///
  /// - Returns: the name of the font that is installed for the first face.
  private static func drawFaces(
    sheet: String, fonts: String, folder: String?
  ) throws -> String {
    let artist = try CaptionArtist()
    try ContactSheet(artist: artist, folder: folder).draw().write(to: sheet)
    try FontSheet(artist: artist).draw().write(to: fonts)
    return artist.faces[0].installed
  }
}

extension Bytes {
  func write(to path: String) throws {
    try withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
  }
}
