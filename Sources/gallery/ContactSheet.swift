import Bytes
import Imaging
import PhotoGenerator

/// Rows of captions, columns of pictures. Each meme is drawn at full size and then scaled down.
struct ContactSheet {
  let artist: CaptionArtist
  let folder: String?

  private static let sizes = [(300, 200), (800, 600), (600, 1200), (3000, 1000), (4032, 3024)]
  private static let captions = [
    ("Suspicious", "Deploy"),
    ("One does not simply", "walk into Mordor"),
    (
      "Monday: it works\nTuesday: it works\nWednesday: it is live",
      "And nobody has the slightest idea why it had worked on my machine for all those years"
    ),
    (
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterb",
      "one word"
    ),
    ("Façade: çà et là, Ångström", "Quietly, jumping gypsies; Ñandú & Žižek"),
    ("Ship it 🚀 on Friday 🔥", "שלום עולם, 你好世界"),
  ]
  private static let cell = 540
  private static let gap = 12

  func draw() throws(ImagingError) -> Bytes {
    let scaled = Self.sizes.map { size in
      let factor = min(1, Double(Self.cell) / Double(size.0), 270 / Double(size.1))
      return (Int(Double(size.0) * factor), Int(Double(size.1) * factor))
    }
    let width = scaled.reduce(Self.gap) { $0 + $1.0 + Self.gap }
    let rowHeight = 270 + Self.gap
    let sheet = PixelBuffer()
    sheet.reshape(width: width, height: Self.gap + rowHeight * Self.captions.count, channels: 3)
    sheet.pixels.initializeMemory(as: UInt8.self, repeating: 0xF2)
    var left = Self.gap
    for (column, size) in Self.sizes.enumerated() {
      let photo = PixelBuffer()
      Photo.make(width: size.0, height: size.1, seed: UInt64(column + 3), into: photo)
      for row in Self.captions.indices {
        let meme = try self.meme(row: row, on: photo, name: "\(size.0)x\(size.1)-\(row + 1)")
        let small = PixelBuffer()
        try meme.scale(toFit: max(scaled[column].0, scaled[column].1), into: small)
        sheet.place(small, left: left, top: Self.gap + row * rowHeight)
      }
      left += scaled[column].0 + Self.gap
    }
    return try PictureEncoder.jpeg(sheet, quality: 88)
  }

  private func meme(
    row: Int, on photo: PixelBuffer, name: String
  ) throws(ImagingError) -> PixelBuffer {
    let meme = PixelBuffer()
    meme.reshape(width: photo.width, height: photo.height, channels: 3)
    meme.pixels.copyMemory(from: UnsafeRawBufferPointer(photo.pixels))
    let (top, bottom) = Self.captions[row]
    let look = CaptionLook()
    _ = try artist.draw(top, at: .top, look: look, on: meme)
    _ = try artist.draw(bottom, at: .bottom, look: look, on: meme)
    if let folder {
      do { try PictureEncoder.png(meme).write(to: "\(folder)/\(name).png") } catch {
        throw .library(operation: "write", message: "\(error)")
      }
    }
    return meme
  }
}

extension PixelBuffer {
  /// Copies an RGB picture into this one.
  func place(_ other: PixelBuffer, left: Int, top: Int) {
    for row in 0..<min(other.height, height - top) {
      let bytes = min(other.width, width - left) * 3
      let source = UnsafeRawBufferPointer(other.pixels)
      pixels[((top + row) * width + left) * 3..<((top + row) * width + left) * 3 + bytes].copyBytes(
        from: source[row * other.bytesPerRow..<row * other.bytesPerRow + bytes])
    }
  }
}
