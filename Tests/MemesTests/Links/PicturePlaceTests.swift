import Bytes
import Foundation
import Memes
import Testing

/// The places of pictures in memes by address.
struct PicturePlaceTests {
  private func place(
    _ x: Double, _ y: Double, _ scale: Double, _ width: Int, _ height: Int
  ) throws -> [Double] {
    let box = try #require(
      PictureBox(squareAround: x, y, scale: scale, on: PixelSize(width: width, height: height)))
    return [box.place.x, box.place.y, box.place.width, box.place.height]
  }

  @Test func `a square has the same pixels in both directions`() throws {
    #expect(try place(0.5, 0.5, 0.25, 800, 600) == [0.4063, 0.375, 0.1875, 0.25])
    #expect(try place(0.25, 0.5, 0.5, 600, 1200) == [0, 0.375, 0.5, 0.25])
  }

  @Test func `a square is moved into the picture, and is never too small or too large`() throws {
    #expect(try place(0, 1, 0.5, 100, 100) == [0, 0.5, 0.5, 0.5])
    #expect(try place(0.5, 0.5, 1, 100, 100) == [0, 0, 1, 1])
    #expect(try place(1, 0, 0.25, 10_000, 100) == [0.99, 0, 0.01, 0.25])
    #expect(try place(0.5, 0.5, 0.25, 0, 0) == [0.375, 0.375, 0.25, 0.25])
  }

  @Test func `a number that is not finite makes no place`() {
    let size = PixelSize(width: 100, height: 100)
    for number in [Double.nan, .infinity] {
      #expect(PictureBox(squareAround: number, 0.5, scale: 0.25, on: size) == nil)
      #expect(PictureBox(squareAround: 0.5, 0.5, scale: number, on: size) == nil)
    }
  }

  @Test func `pictures fill the places in order, and places can stay empty`() throws {
    let size = PixelSize(width: 100, height: 100)
    let facts = PictureFacts(
      size: size, format: .png, byteCount: 1,
      digest: try #require(Digest([UInt8](repeating: 0, count: 32))))
    let bare = LinkGround(Bytes([]), facts)
    let url = try RemoteURL("https://example.org/a")
    var options = MemeLinkOptions()
    #expect(try options.places(on: bare) == [])
    options.pictures = [url]
    #expect(try options.places(on: bare) == LinkGround.standardPlaces(on: size))
    options.pictures = [nil, url]
    #expect(throws: InvalidValue.self) { try options.places(on: bare) }

    var fields = TemplateFields(name: try TemplateName("two"))
    let places = try [0, 0.5].map { x in
      PictureBox(place: try #require(CaptionBox.Place(x: x, y: 0, width: 0.5, height: 1)))
    }
    fields.pictures = places
    let template = LinkGround(
      Template(
        id: TemplateID(UUID()), fields, createdAt: Timestamp(millisecondsSince1970: 0),
        picture: facts, thumbnail: facts))
    #expect(try options.places(on: template) == [places[1]])
    options.pictures = [url, url]
    #expect(try options.places(on: template) == places)
  }
}
