import Bytes
import Foundation
import Imaging
import PhotoGenerator

/// Draws two contact sheets: every kind of picture with every kind of caption, and every font with many scripts.
///
/// `gallery SHEET FONTS` writes them as JPEGs; `gallery SHEET FONTS FOLDER` also writes each meme of the first at its full
/// size.
@main
struct Gallery {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2, let sheet = arguments.first, let fonts = arguments.dropFirst().first
    else {
      FileHandle.standardError.write(Data("usage: gallery SHEET.jpg FONTS.jpg [FOLDER]\n".utf8))
      exit(64)
    }
    let artist = try CaptionArtist()
    let bytes = try ContactSheet(artist: artist, folder: arguments.dropFirst(2).first).draw()
    try bytes.write(to: sheet)
    try FontSheet(artist: artist).draw().write(to: fonts)
    print("\(sheet): \(bytes.count) bytes, captions in \(artist.faces[0].installed)")
  }
}

extension Bytes {
  func write(to path: String) throws {
    try withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
  }
}
