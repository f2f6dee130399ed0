import Bytes
import Imaging
import PhotoGenerator

/// A sheet that shows every face with every script, and the options of a caption style.
struct FontSheet {
  let artist: CaptionArtist

  private static let texts = [
    ("When in doubt, Quote Jürgen", "123 & 45%?!"),
    ("Привет, мир · Γειά σου", "שלום עולם · مرحبا بالعالم"),
    ("नमस्ते दुनिया · สวัสดีชาวโลก", "你好世界 · こんにちは 🚀🔥"),
  ]
  private static let looks: [@Sendable (inout CaptionLook) -> Void] = [
    { $0.alignment = .left },
    { $0.alignment = .right },
    { ($0.outlineWidth, $0.size) = (0.3, 0.2) },
    {
      ($0.fill, $0.outline) = (
        InkColor(red: 255, green: 204, blue: 0), InkColor(red: 64, green: 0, blue: 96)
      )
    },
    { ($0.outlineWidth, $0.letters) = (0, .asTyped) },
    { $0.size = 0.06 },
  ]
  private static let (width, height, gap) = (330, 220, 10)

  func draw() throws(ImagingError) -> Bytes {
    let photo = PixelBuffer()
    Photo.make(width: Self.width, height: Self.height, seed: 4, into: photo)
    var memes: [PixelBuffer] = []
    for face in artist.faces {
      for (top, bottom) in Self.texts {
        var look = CaptionLook()
        (look.font, look.letters) = (face.id, .asTyped)
        memes.append(try meme(top, bottom, look, on: photo))
      }
    }
    for change in Self.looks {
      var look = CaptionLook()
      change(&look)
      memes.append(try meme("One does not simply\nwalk", "into Mordor", look, on: photo))
    }
    let columns = 3
    let rows = (memes.count + columns - 1) / columns
    let sheet = PixelBuffer()
    sheet.reshape(
      width: Self.gap + columns * (Self.width + Self.gap),
      height: Self.gap + rows * (Self.height + Self.gap), channels: 3)
    sheet.pixels.initializeMemory(as: UInt8.self, repeating: 0xF2)
    for (index, meme) in memes.enumerated() {
      sheet.place(
        meme, left: Self.gap + index % columns * (Self.width + Self.gap),
        top: Self.gap + index / columns * (Self.height + Self.gap))
    }
    return try PictureEncoder.jpeg(sheet, quality: 80)
  }

  private func meme(
    _ top: String, _ bottom: String, _ look: CaptionLook, on photo: PixelBuffer
  ) throws(ImagingError) -> PixelBuffer {
    let meme = PixelBuffer()
    meme.reshape(width: photo.width, height: photo.height, channels: 3)
    meme.pixels.copyMemory(from: UnsafeRawBufferPointer(photo.pixels))
    _ = try artist.draw(top, at: .top, look: look, on: meme)
    _ = try artist.draw(bottom, at: .bottom, look: look, on: meme)
    return meme
  }
}
