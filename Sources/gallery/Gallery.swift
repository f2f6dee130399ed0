import Bytes
import Foundation
import Imaging
import PhotoGenerator

/// Draws the contact sheet: every kind of picture with every kind of caption.
///
/// `gallery SHEET` writes it as a JPEG; `gallery SHEET FOLDER` also writes each meme at its full size.
@main
struct Gallery {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let sheet = arguments.first else {
      FileHandle.standardError.write(Data("usage: gallery SHEET.jpg [FOLDER]\n".utf8))
      exit(64)
    }
    let artist = try CaptionArtist()
    let bytes = try ContactSheet(artist: artist, folder: arguments.dropFirst().first).draw()
    try bytes.write(to: sheet)
    print("\(sheet): \(bytes.count) bytes, captions in \(artist.face.installed)")
  }
}

extension Bytes {
  func write(to path: String) throws {
    try withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
  }
}
