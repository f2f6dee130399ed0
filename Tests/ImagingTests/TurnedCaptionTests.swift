import Foundation
import Testing

@testable import Imaging

/// Captions in their own boxes, rotated about the center of the box.
struct TurnedCaptionTests {
  private let grey: UInt8 = 128

  private func draw(
    _ text: String, in box: InkBox, _ rotation: Double, width: Int, height: Int,
    at edge: CaptionEdge = .middle, by artist: CaptionArtist? = nil
  ) throws -> (picture: PixelBuffer, outcome: CaptionOutcome?) {
    let picture = TestPictures.plain(width: width, height: height, level: grey)
    let artist = try artist ?? CaptionArtist()
    let boxed = BoxedText(text, in: box, at: edge, rotation: rotation, look: CaptionLook())
    let outcome = try artist.draw(boxed, on: picture)
    return (picture, outcome)
  }

  /// Returns the distance in pixels from the box, before its rotation, to the farthest ink; `nil` if there is no ink.
  private func reach(_ picture: PixelBuffer, _ box: InkBox, _ rotation: Double) -> Double? {
    let (sine, cosine) = (sin(-rotation * .pi / 180), cos(-rotation * .pi / 180))
    let (halfWidth, halfHeight) = (Double(box.width) / 2, Double(box.height) / 2)
    let middle = (x: Double(box.left) + halfWidth, y: Double(box.top) + halfHeight)
    var farthest: Double?
    for y in 0..<picture.height {
      for x in 0..<picture.width where picture.distance(x, y, [grey, grey, grey]) > 0 {
        let (across, down) = (Double(x) + 0.5 - middle.x, Double(y) + 0.5 - middle.y)
        let turned = (x: across * cosine - down * sine, y: across * sine + down * cosine)
        let outside = max(abs(turned.x) - halfWidth, abs(turned.y) - halfHeight)
        farthest = max(farthest ?? outside, outside)
      }
    }
    return farthest
  }

  @Test(arguments: UInt64(31)...34)
  func `no ink leaves a rotated box, and the rotation does not change the size`(
    seed: UInt64
  ) throws {
    let artist = try CaptionArtist()
    var random = Texts(seed: seed)
    var drawn = 0
    for _ in 0..<15 {
      let (width, height) = (random.number(80...300), random.number(80...300))
      let box = InkBox(
        left: random.number(0...width / 2), top: random.number(0...height / 2),
        width: random.number(10...width / 2), height: random.number(10...height / 2))
      let (text, rotation) = (random.text(), Double(random.number(-180...180)))
      let (picture, outcome) = try draw(
        text, in: box, rotation, width: width, height: height, by: artist)
      let flat = try draw(text, in: box, 0, width: width, height: height, by: artist)
      #expect(outcome == flat.outcome)
      guard let reach = reach(picture, box, rotation) else {
        #expect(outcome?.lines == 0, "\(text) in \(box) at \(rotation)")
        continue
      }
      drawn += 1
      // A pixel is also touched if its center is outside by up to half its diagonal.
      #expect(reach < 0.75, "\(text) in \(box) at \(rotation)")
    }
    #expect(drawn > 5)
  }

  @Test func `a rotation by 180 degrees is the caption upside down`() throws {
    let box = InkBox(left: 20, top: 30, width: 160, height: 60)
    let flat = try draw("Upside", in: box, 0, width: 200, height: 120).picture
    for rotation in [180.0, -180] {
      let turned = try draw("Upside", in: box, rotation, width: 200, height: 120).picture
      var (ink, difference) = (0, 0)
      for y in 0..<120 {
        for x in 0..<200 {
          let other = flat.distance(199 - x, 119 - y, turned.colour(x, y))
          difference += other
          ink += flat.distance(x, y, [grey, grey, grey])
        }
      }
      #expect(ink > 50_000)
      #expect(difference < ink / 100)
    }
  }

  @Test func `a rotation by 90 degrees is clockwise`() throws {
    let box = InkBox(left: 20, top: 80, width: 160, height: 40)
    // At the top edge of the box, which is right of the center after the rotation.
    let picture = try draw("Down", in: box, 90, width: 200, height: 200, at: .top).picture
    let columns = (0..<200).filter { x in
      (0..<200).contains { picture.distance(x, $0, [grey, grey, grey]) > 100 }
    }
    #expect((columns.first ?? 0) > 92)
    #expect((115..<120).contains(columns.last ?? 0))
  }

  @Test func `ink outside of the picture is cut off`() throws {
    let corner = InkBox(left: 150, top: 0, width: 50, height: 20)
    for rotation in stride(from: -180.0, through: 180, by: 7.5) {
      let (picture, outcome) = try draw("corner", in: corner, rotation, width: 200, height: 100)
      #expect(outcome?.lines == 1)
      #expect((reach(picture, corner, rotation) ?? 0) < 0.75)
    }
    // In a low picture, half of a rotated wide box is above the picture and half below.
    let wide = InkBox(left: 100, top: 1, width: 100, height: 8)
    let look = CaptionLook()
    let picture = TestPictures.plain(width: 300, height: 10, level: grey)
    _ = try CaptionArtist().draw(
      BoxedText("left end", in: wide, at: .middle, rotation: 90, look: look), on: picture)
    let reached = try #require(reach(picture, wide, 90), "Part of the caption is in the picture.")
    #expect(reached < 0.75)
  }

  @Test func `an empty box, and one outside of the picture, draw nothing`() throws {
    for box in [
      InkBox(left: 50, top: 50, width: 0, height: 0),
      InkBox(left: 99, top: 99, width: 1, height: 1),
      InkBox(left: 100, top: 100, width: 50, height: 50),
      InkBox(left: -80, top: -80, width: 40, height: 40),
    ] {
      for rotation in [0.0, 45] {
        let picture = try draw("nothing", in: box, rotation, width: 100, height: 100).picture
        #expect(picture.pixels.allSatisfy { $0 == grey }, "\(box)")
      }
    }
  }

  @Test(arguments: [0.0, 33, 90])
  func `drawing in bands equals drawing at once`(rotation: Double) throws {
    let artist = try CaptionArtist()
    let look = CaptionLook()
    let box = InkBox(left: 20, top: 20, width: 260, height: 160)
    let pictures = try [1, 3000, 1 << 20].map { pixels in
      let picture = TestPictures.plain(width: 300, height: 200, level: grey)
      let set = try #require(
        artist.set(
          "Bands 🔥\nof ink", look: look, box: box,
          bounds: SizeBounds(look: look, width: 300, height: 400)))
      let painter = CaptionPainter(
        raster: artist.raster, layout: set.layout, fit: try #require(set.fit), look: look,
        pixelsAtOnce: pixels)
      try painter.paint(in: box, at: .middle, rotation: rotation, on: picture)
      return Array(picture.pixels)
    }
    #expect(Set(pictures[2]).count > 10)
    for bands in pictures.dropLast() {
      let difference = zip(bands, pictures[2]).map { abs(Int($0) - Int($1)) }
      // Cairo rounds a rotated outline to a 256th of a pixel from the start of the band. Edges of two letters may share
      // a pixel.
      #expect((difference.max() ?? 0) <= 2)
    }
  }

  @Test func `fractions of a picture are rounded inwards to whole pixels`() {
    func box(_ left: Double, _ top: Double, _ width: Double, _ height: Double) -> InkBox {
      InkBox(
        left: left, top: top, width: width, height: height, inPictureOfWidth: 100, height: 50)
    }
    #expect(box(0, 0, 1, 1) == InkBox(left: 0, top: 0, width: 100, height: 50))
    #expect(box(0.1, 0.2, 0.2, 0.6) == InkBox(left: 10, top: 10, width: 20, height: 30))
    #expect(box(0.7, 0.7, 0.3, 0.3) == InkBox(left: 70, top: 35, width: 30, height: 15))
    #expect(box(0.105, 0, 0.1, 0.01) == InkBox(left: 11, top: 0, width: 9, height: 0))
    #expect(box(0.999, 0.999, 0.01, 0.01).width == 0)
  }
}
