import Bytes
import Imaging
import Memes
import Support
import Testing

@testable import Rendering

/// Boxes and crops, from the recipe to the pixels.
struct RecipeRenderTests {
  private func picture(_ width: Int, _ height: Int) -> PixelBuffer {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: 3)
    for index in 0..<width * height {
      buffer.pixels[3 * index] = UInt8(index % width * 255 / width)
      buffer.pixels[3 * index + 1] = UInt8(index / width * 255 / height)
      buffer.pixels[3 * index + 2] = 90
    }
    return buffer
  }

  private func box(
    _ text: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    _ change: (inout CaptionBox) -> Void = { _ in }
  ) throws -> CaptionBox {
    let place = try #require(CaptionBox.Place(x: x, y: y, width: width, height: height))
    var box = CaptionBox(text: try CaptionText(text), place: place)
    change(&box)
    return box
  }

  private func render(
    _ picture: PixelBuffer, _ change: (inout Recipe) throws -> Void
  ) async throws -> (meme: RenderedMeme, pixels: PixelBuffer) {
    let file = try PictureEncoder.png(picture)
    var recipe = Recipe()
    try change(&recipe)
    var meme: RenderedMeme?
    try await withRenderer { renderer in
      meme = try await renderer.render(
        try order(file, recipe, format: .png, thumbnails: true))
    }
    let rendered = try #require(meme)
    return (rendered, try decoded(rendered.image.bytes))
  }

  /// The rows and columns in which the pictures differ.
  private func changed(_ one: PixelBuffer, _ other: PixelBuffer) -> (rows: [Int], columns: [Int]) {
    var (rows, columns) = (Set<Int>(), Set<Int>())
    for index in 0..<one.width * one.height
    where (0..<3).contains(where: { one.pixels[3 * index + $0] != other.pixels[3 * index + $0] }) {
      rows.insert(index / one.width)
      columns.insert(index % one.width)
    }
    return (rows.sorted(), columns.sorted())
  }

  @Test func `each box is drawn in its place, in its own style or the meme's`() async throws {
    let plain = picture(400, 300)
    let red = Color(red: 255, green: 0, blue: 0)
    let (meme, pixels) = try await render(plain) { recipe in
      recipe.choices.fill = red
      recipe.captions = [
        try box("one", 0.05, 0.1, 0.4, 0.2),
        try box(" \n", 0.5, 0.1, 0.4, 0.2),
        try box("three", 0.5, 0.6, 0.45, 0.3) {
          ($0.style.fill, $0.style.size) = (.white, 0.3)
          $0.verticalAlign = .bottom
        },
      ]
    }
    #expect(meme.fit.map(\.position) == [.box(0), .box(2)])
    #expect(meme.fit[1].fontSize > meme.fit[0].fontSize)
    var (reds, whites): ([(Int, Int)], [(Int, Int)]) = ([], [])
    for y in 0..<300 {
      for x in 0..<400 {
        let start = (y * 400 + x) * 3
        let colour = Array(pixels.pixels[start..<start + 3])
        if colour == [255, 0, 0] { reds.append((x, y)) }
        if colour == [255, 255, 255] { whites.append((x, y)) }
      }
    }
    #expect(reds.count > 100 && whites.count > 100)
    #expect(reds.allSatisfy { (20..<180).contains($0.0) && (30..<90).contains($0.1) })
    #expect(whites.allSatisfy { (200..<380).contains($0.0) && (180..<270).contains($0.1) })
    #expect((whites.map(\.1).max() ?? 0) > 255)
    let extent = changed(pixels, plain)
    #expect((extent.rows.last ?? 0) < 270 && (extent.columns.last ?? 0) < 380)
  }

  @Test func `a later box covers an earlier one`() async throws {
    for isReversed in [false, true] {
      let (_, pixels) = try await render(picture(300, 300)) { recipe in
        recipe.choices.outlineWidth = 0
        let boxes = try [Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 255, blue: 0)]
          .map { colour in
            try box("MMMM", 0, 0.3, 1, 0.4) { $0.style.fill = colour }
          }
        recipe.captions = isReversed ? boxes.reversed() : boxes
      }
      let middle = pixels.pixels[140 * 900..<160 * 900]
      let places = stride(from: middle.startIndex, to: middle.endIndex, by: 3)
      let red = places.filter { middle[$0] == 255 && middle[$0 + 1] == 0 }.count
      let green = places.filter { middle[$0] == 0 && middle[$0 + 1] == 255 }.count
      #expect((isReversed ? green : red) == 0)
      #expect((isReversed ? red : green) > 1000)
    }
  }

  @Test func `only the crop is shown, and boxes are fractions of it`() async throws {
    let plain = picture(400, 300)
    let (meme, pixels) = try await render(plain) { recipe in
      recipe.crop = try Crop(x: 100, y: 50, width: 200, height: 160)
      recipe.captions = [try box("here", 0.5, 0.5, 0.5, 0.5)]
    }
    #expect(meme.image.facts.size == PixelSize(width: 200, height: 160))
    #expect(meme.thumbnails?.grid.facts.size == PixelSize(width: 200, height: 160))
    #expect(meme.original.size == PixelSize(width: 400, height: 300))
    #expect(meme.fit[0].fontSize < 0.1401 * 160)
    for (x, y) in [(0, 0), (199, 0), (0, 159), (99, 79), (50, 120)] {
      let (seen, source) = ((y * 200 + x) * 3, ((y + 50) * 400 + x + 100) * 3)
      #expect(Array(pixels.pixels[seen..<seen + 3]) == Array(plain.pixels[source..<source + 3]))
    }
  }

  @Test func `a crop outside of the picture is rejected with the picture's size`() async throws {
    for (width, height, isInside) in [(400, 300, true), (401, 300, false), (400, 301, false)] {
      for file in [
        try PictureEncoder.png(picture(400, 300)), Bytes(try MovingFixture.whole.bytes),
      ] {
        var recipe = Recipe()
        recipe.crop = try Crop(x: 0, y: 0, width: width, height: height)
        let isMoving = PictureKind(sniffing: file) == .gif
        try await withRenderer { renderer in
          let order = try order(file, recipe)
          if isInside, !isMoving {
            _ = try await renderer.render(order)
            return
          }
          await #expect { _ = try await renderer.render(order) } throws: { error in
            guard case MemeError.invalid("crop", let value)? = error as? MemeError else {
              return false
            }
            return value.code == "out-of-range"
              && value.message
                == "The crop must be inside the picture, which is \(isMoving ? "64 × 48" : "400 × 300") pixels."
          }
        }
      }
    }
  }
}
