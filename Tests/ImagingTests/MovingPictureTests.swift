import Bytes
import Support
import Testing

@testable import Imaging

/// The decoded frames of a moving picture.
struct Film {
  var frames: [PixelBuffer] = []
  let delays: [Int]
  let plays: Int

  init(_ file: Bytes) throws {
    let header = try PictureHeader(of: file, maximumPixels: 1_000_000)
    let film = try header.decodable(file).withUnsafeBytes { memory throws in
      let reader = try FrameReader(memory, header: header)
      var frames: [PixelBuffer] = []
      for _ in 0..<reader.count {
        let frame = PixelBuffer()
        try reader.read(into: frame)
        frames.append(frame)
      }
      return (frames, reader.delays, reader.plays)
    }
    (frames, delays, plays) = film
  }
}

struct MovingPictureTests {
  private static func redraw(
    _ fixture: MovingFixture, as format: MovingPicture.Format, maximumEdge: Int = 64,
    ink: PixelBuffer? = nil, first: PixelBuffer = PixelBuffer(),
    shaped change: (inout PictureShape) -> Void = { _ in },
    isOver: @escaping () -> Bool = { false }
  ) throws -> Bytes {
    let file = Bytes(try fixture.bytes)
    let header = try PictureHeader(of: file, maximumPixels: 64 * 48 * 5)
    var shape = PictureShape(maximumEdge: maximumEdge)
    change(&shape)
    let size = shape.size(ofWidth: header.width, height: header.height)
    let clear = PixelBuffer()
    try clear.clear(width: size.width, height: size.height)
    return try MovingPicture.redraw(
      file, header: header, shape: shape, ink: InkLayer(ink ?? clear), as: format, first: first,
      isOver: isOver)
  }

  /// The frames as Pillow shows them.
  private static func expected(_ fixture: MovingFixture) throws -> [PixelBuffer] {
    let strip = try decoded(Bytes(fixture.expectedBytes), maximumEdge: 1000)
    return try (0..<strip.height / 48).map { index in
      let frame = PixelBuffer()
      try frame.clear(width: 64, height: 48)
      for y in 0..<48 {
        for x in 0..<64 {
          let pixel = strip.rgba((x, 48 * index + y))
          for channel in 0..<4 { frame.pixels[4 * (64 * y + x) + channel] = pixel[channel] }
        }
      }
      return frame
    }
  }

  @Test(arguments: MovingFixture.allCases)
  func `each frame is read as it is displayed, with its delay`(fixture: MovingFixture) throws {
    let film = try Film(Bytes(fixture.bytes))
    #expect(film.delays == fixture.delays)
    #expect(film.plays == fixture.plays)
    let expected = try Self.expected(fixture)
    #expect(film.frames.count == expected.count)
    for (index, (frame, other)) in zip(film.frames, expected).enumerated() {
      let (worst, place) = frame.farthest(from: other)
      #expect(worst <= 2, "frame \(index), \(place): \(frame.rgba(place)), \(other.rgba(place))")
    }
  }

  @Test(arguments: MovingFixture.allCases, [MovingPicture.Format.gif, .webp])
  func `a written moving picture moves like its source`(
    fixture: MovingFixture, format: MovingPicture.Format
  ) throws {
    let first = PixelBuffer()
    let film = try Film(Self.redraw(fixture, as: format, first: first))
    // GIF measures time in hundredths of a second.
    #expect(film.delays == fixture.delays.map { format == .gif ? ($0 + 5) / 10 * 10 : $0 })
    #expect(film.plays == fixture.plays)
    let expected = try Self.expected(fixture)
    #expect(film.frames.count == expected.count)
    for (index, (frame, other)) in zip(film.frames, expected).enumerated() {
      #expect([frame.width, frame.height] == [64, 48])
      // WebP subsamples colors, so they mix at edges.
      let differences = (0..<64 * 48).map { place in
        PixelBuffer.distance(
          frame.rgba((place % 64, place / 64)), other.rgba((place % 64, place / 64)))
      }
      let mean = Double(differences.reduce(0, +)) / Double(differences.count)
      #expect(mean < (format == .gif ? 2 : 10), "frame \(index)")
    }
    #expect(first.farthest(from: expected[0]).0 <= 2)
  }

  @Test func `a GIF takes as long as its source, although it counts hundredths of a second`() {
    let rounded = GIFDelays.rounded([Int](repeating: 34, count: 60))
    #expect(rounded.reduce(0, +) == 2040)
    #expect(rounded.allSatisfy { [30, 40].contains($0) })
    #expect(GIFDelays.rounded([50, 100, 30, 200]) == [50, 100, 30, 200])
    #expect(GIFDelays.rounded([33, 33, 33, 1]) == [30, 40, 30, 1])
    #expect(GIFDelays.rounded([]).isEmpty)
  }

  @Test func `a short frame of a GIF is not one that browsers display for 100 ms`() {
    #expect(GIFDelays.rounded([14, 14, 14, 1000]) == [20, 20, 20, 1000])
    #expect(GIFDelays.rounded([16, 16, 16]) == [20, 20, 20])
    // They do so with the source as well.
    #expect(GIFDelays.rounded([0, 10, 4]) == [0, 10, 4])
  }

  @Test(arguments: [MovingFixture.whole, .disposal])
  func `ink covers every frame, and nothing else changes`(fixture: MovingFixture) throws {
    let ink = PixelBuffer()
    try ink.clear(width: 64, height: 48)
    for y in 2..<8 {
      for x in 10..<50 {
        for c in 0..<4 { ink.pixels[4 * (64 * y + x) + c] = [255, 255, 255, 255][c] }
      }
    }
    for x in 10..<50 { ink.pixels[4 * (64 * 8 + x) + 3] = 128 }
    let film = try Film(Self.redraw(fixture, as: .gif, ink: ink))
    for (frame, other) in zip(film.frames, try Self.expected(fixture)) {
      for x in stride(from: 10, to: 50, by: 3) {
        #expect(frame.rgba((x, 5)) == [255, 255, 255, 255])
        #expect(PixelBuffer.distance(frame.rgba((x, 30)), other.rgba((x, 30))) <= 3)
      }
      #expect(PixelBuffer.distance(frame.rgba((5, 5)), other.rgba((5, 5))) <= 3)
    }
  }

  @Test func `ink at half opacity blends over every degree of transparency`() throws {
    let (ink, picture) = (PixelBuffer(), TestPictures.quarters(alpha: 100))
    try ink.clear(width: 64, height: 48)
    for place in 0..<64 * 48 {
      for (channel, level) in [200, 100, 0, 128].enumerated() {
        ink.pixels[4 * place + channel] = UInt8(level)
      }
    }
    let before = (picture.rgba((2, 2)), picture.rgba((40, 2)))
    InkLayer(ink).lay(over: picture)
    for (old, new) in [(before.0, picture.rgba((2, 2))), (before.1, picture.rgba((40, 2)))] {
      for ground in [0.0, 90, 255] {
        for channel in 0..<3 {
          let under =
            Double(old[channel]) * Double(old[3]) / 255 + ground * (1 - Double(old[3]) / 255)
          let wanted = [200.0, 100, 0][channel] * 128 / 255 + under * (1 - 128.0 / 255)
          let seen =
            Double(new[channel]) * Double(new[3]) / 255 + ground * (1 - Double(new[3]) / 255)
          #expect(abs(seen - wanted) <= 1.5)
        }
      }
    }
  }

  @Test(arguments: [MovingFixture.whole, .seeThroughWebP])
  func `each frame is reduced on its own`(fixture: MovingFixture) throws {
    let film = try Film(Self.redraw(fixture, as: .gif, maximumEdge: 32))
    for (frame, other) in zip(film.frames, try Self.expected(fixture)) {
      #expect([frame.width, frame.height] == [32, 24])
      let small = PixelBuffer()
      try other.scale(toFit: 32, into: small)
      let differences = (0..<32 * 24).map { place in
        PixelBuffer.distance(
          frame.rgba((place % 32, place / 32)), small.rgba((place % 32, place / 32)))
      }
      // GIF has no partial transparency, which edges get when they are reduced.
      #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 8)
      // The first and the last row contain nothing of the neighboring frames.
      for y in [0, 23] {
        for x in 0..<32 {
          #expect(PixelBuffer.distance(frame.rgba((x, y)), small.rgba((x, y))) <= 8)
        }
      }
    }
  }

  @Test(arguments: MovingFixture.allCases)
  func `every frame is cropped and gets white bars`(fixture: MovingFixture) throws {
    let film = try Film(
      Self.redraw(
        fixture, as: .gif,
        shaped: { shape in
          shape.crop = CropArea(left: 10, top: 6, width: 40, height: 30)
          (shape.above, shape.below) = (5, 9)
        }))
    for (index, (frame, other)) in zip(film.frames, try Self.expected(fixture)).enumerated() {
      #expect([frame.width, frame.height] == [40, 5 + 30 + 9])
      for y in [0, 4, 35, 43] {
        for x in 0..<40 { #expect(frame.rgba((x, y)) == [255, 255, 255, 255]) }
      }
      var difference = 0
      for y in 0..<30 {
        for x in 0..<40 {
          difference += PixelBuffer.distance(frame.rgba((x, 5 + y)), other.rgba((10 + x, 6 + y)))
        }
      }
      #expect(difference < 2 * 40 * 30, "frame \(index)")
    }
    #expect(film.frames.count > 1)
  }

  @Test func `the work stops as soon as it is over`() throws {
    var asked = 0
    #expect(throws: ImagingError.self) {
      let isOver = {
        asked += 1
        return asked == 3
      }
      _ = try Self.redraw(.whole, as: .gif, isOver: isOver)
    }
    #expect(asked == 3)
  }

  @Test func `frames and their pixels are counted before decoding`() throws {
    let file = Bytes(try MovingFixture.whole.bytes)
    #expect(try PictureHeader(of: file, maximumPixels: 64 * 48 * 5, maximumFrames: 5).frames == 5)
    let many = failure { () throws(ImagingError) in
      _ = try PictureHeader(of: file, maximumPixels: 64 * 48 * 5, maximumFrames: 4)
    }
    let large = failure { () throws(ImagingError) in
      _ = try PictureHeader(of: file, maximumPixels: 64 * 48 * 5 - 1)
    }
    #expect(many == "tooManyFrames")
    #expect(large == "tooLarge")
  }

  /// Two frames of 2 × 2 red pixels on a screen of 4 × 4: in its middle and in its upper left corner.
  private static var gapped: [UInt8] {
    let head: [UInt8] = [4, 0, 4, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]
    func frame(at place: UInt8) -> [UInt8] {
      // The codes in 3 bits each: clear, color 0 twice, clear, color 0 twice, clear and end.
      [0x2C, place, 0, place, 0, 2, 0, 2, 0, 0, 2, 3, 0x04, 0x08, 0xB0, 0]
    }
    return Array("GIF89a".utf8) + head + frame(at: 1) + frame(at: 0) + [0x3B]
  }

  @Test func `the part of a GIF that no frame covers is transparent`() throws {
    let file = Bytes(Self.gapped)
    let header = try PictureHeader(of: file, maximumPixels: 32, maximumFrames: 2)
    #expect(header.frames == 2 && header.hasAlpha)
    let still = try decoded(file)
    #expect(still.rgba((0, 0))[3] == 0 && still.rgba((1, 1)) == [255, 0, 0, 255])
    let ink = PixelBuffer()
    try ink.clear(width: 4, height: 4)
    for format in [MovingPicture.Format.gif, .webp] {
      let film = try Film(
        MovingPicture.redraw(
          file, header: header, shape: PictureShape(maximumEdge: 4), ink: InkLayer(ink),
          as: format, first: PixelBuffer(), isOver: { false }))
      #expect(film.frames.map { $0.rgba((0, 0))[3] } == [0, 255], "\(format)")
      #expect(film.frames.map { $0.rgba((2, 2))[3] } == [255, 255], "\(format)")
      #expect(film.frames.map { $0.rgba((3, 3))[3] } == [0, 0], "\(format)")
    }
  }

  @Test(arguments: MovingFixture.allCases)
  func `a truncated moving picture is broken`(fixture: MovingFixture) throws {
    let whole = try fixture.bytes
    for count in [whole.count / 3, whole.count / 2, whole.count - 30] {
      let rest = Bytes(Array(whole[..<count]))
      let name = failure { () throws(ImagingError) in
        let header = try PictureHeader(of: rest, maximumPixels: 100_000)
        let ink = PixelBuffer()
        try ink.clear(width: 64, height: 48)
        guard header.frames > 1 else { throw .broken("") }
        _ = try MovingPicture.redraw(
          rest, header: header, shape: PictureShape(maximumEdge: 64), ink: InkLayer(ink), as: .gif,
          first: PixelBuffer(), isOver: { false })
      }
      #expect(name == "broken", "\(count) of \(whole.count)")
    }
  }
}
