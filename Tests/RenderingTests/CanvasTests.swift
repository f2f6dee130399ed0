import Bytes
import DrawingHelper
import Memes
import Support
import Synchronization
import Testing

@testable import Imaging
@testable import Rendering

/// Pictures in the middle of a canvas.
struct CanvasTests {
  private func file(_ width: Int, _ height: Int, _ pixel: [UInt8]) throws -> Bytes {
    let buffer = PixelBuffer()
    buffer.reshape(width: width, height: height, channels: pixel.count)
    for index in buffer.pixels.indices { buffer.pixels[index] = pixel[index % pixel.count] }
    return try PictureEncoder.png(buffer)
  }

  private func order(
    _ file: Bytes, on canvas: PixelSize, maxEdge: Int = 2048, _ recipe: Recipe = Recipe()
  ) throws -> RenderOrder {
    var order = RenderOrder(
      picture: .sent(file), recipe: recipe, maxEdge: try MaxEdge(pixels: maxEdge), format: .png,
      thumbnails: false)
    order.canvas = canvas
    return order
  }

  private func pixel(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
    let start = y * picture.bytesPerRow + x * picture.channels
    return Array(picture.pixels[start..<start + picture.channels])
  }

  @Test func `around a picture is its blurred copy, half as bright`() async throws {
    let file = try file(300, 200, [200, 100, 40])
    try await withRenderer { renderer in
      let canvas = PixelSize(width: 500, height: 501)
      let meme = try await renderer.render(order(file, on: canvas))
      #expect(meme.image.facts.size == canvas)
      let pixels = try decoded(meme.image.bytes)
      for (x, y) in [(0, 0), (499, 500), (99, 250), (250, 149), (400, 250), (250, 350)] {
        let near = zip(pixel(pixels, x, y), [100, 50, 20]).allSatisfy { abs(Int($0) - $1) <= 1 }
        #expect(near, "\(x), \(y): \(pixel(pixels, x, y))")
      }
      for (x, y) in [(100, 150), (399, 349), (250, 250)] {
        #expect(pixel(pixels, x, y) == [200, 100, 40], "\(x), \(y)")
      }
    }
  }

  @Test func `the backdrop is not mirrored, and has no sharp edge`() async throws {
    let buffer = PixelBuffer()
    buffer.reshape(width: 200, height: 100, channels: 3)
    for index in buffer.pixels.indices {
      let (x, y) = (index / 3 % 200, index / 600)
      // White above on the left, red below on the right.
      buffer.pixels[index] = x < 100 && y < 50 || x >= 100 && y >= 50 && index % 3 == 0 ? 255 : 0
    }
    let file = try PictureEncoder.png(buffer)
    try await withRenderer { renderer in
      let meme = try await renderer.render(order(file, on: PixelSize(width: 200, height: 400)))
      let pixels = try decoded(meme.image.bytes)
      // Of 400 rows, 150 are above the picture and 150 below it.
      #expect(pixel(pixels, 2, 2).allSatisfy { abs(Int($0) - 127) < 8 })
      #expect(pixel(pixels, 197, 2).allSatisfy { $0 < 8 })
      #expect(zip(pixel(pixels, 197, 397), [127, 0, 0]).allSatisfy { abs(Int($0) - $1) < 8 })
      #expect(pixel(pixels, 2, 397).allSatisfy { $0 < 8 })
      let row = (0..<200).map { Int(pixel(pixels, $0, 2)[1]) }
      #expect(zip(row, row.dropFirst()).allSatisfy { $0 >= $1 - 1 && $0 - $1 < 8 })
      #expect(row.count { (20..<107).contains($0) } > 20)
    }
  }

  @Test func `around a transparent picture is nothing`() async throws {
    let file = try file(60, 40, [200, 100, 40, 128])
    try await withRenderer { renderer in
      let meme = try await renderer.render(order(file, on: PixelSize(width: 60, height: 80)))
      let pixels = try decoded(meme.image.bytes)
      #expect(pixels.height == 80 && pixels.channels == 4)
      #expect(pixel(pixels, 30, 10)[3] == 0 && pixel(pixels, 30, 40) == [200, 100, 40, 128])
    }
  }

  @Test func `a picture that is higher than its canvas because of its bars is made to fit`()
    async throws
  {
    let file = try file(300, 200, [200, 100, 40])
    var recipe = Recipe()
    (recipe.layout, recipe.top) = (.bar, try CaptionText("above"))
    try await withRenderer { [recipe] renderer in
      let canvas = PixelSize(width: 300, height: 200)
      let meme = try await renderer.render(order(file, on: canvas, maxEdge: 300, recipe))
      #expect(meme.image.facts.size == canvas)
      let pixels = try decoded(meme.image.bytes)
      #expect(pixel(pixels, 150, 1).allSatisfy { $0 > 250 }, "the bar is at the top")
      #expect(pixel(pixels, 150, 198) == [200, 100, 40])
      #expect(pixel(pixels, 1, 100).allSatisfy { $0 < 150 }, "the backdrop is at the sides")
    }
  }

  @Test func `the backdrop is not a thin line above and below bars`() async throws {
    let file = try file(600, 600, [200, 100, 40])
    var recipe = Recipe()
    (recipe.layout, recipe.top) = (.bar, try CaptionText("hello there"))
    for bottom in ["", "general"] {
      recipe.bottom = try CaptionText(bottom)
      try await withRenderer { [recipe] renderer in
        for edge in stride(from: 300, to: 330, by: 2) {
          let canvas = PixelSize(width: edge, height: edge)
          var order = try order(file, on: canvas, maxEdge: edge, recipe)
          order.sizeLimit = canvas
          let meme = try await renderer.render(order)
          #expect(meme.image.facts.size == canvas)
          let pixels = try decoded(meme.image.bytes)
          // To the right of the texts, only the backdrop is dark.
          let dark = (0..<edge).count { y in pixel(pixels, edge * 4 / 5, y)[0] < 150 }
          #expect(dark == 0 || dark * 50 > edge, "\(dark) rows of \(edge)")
        }
      }
    }
  }

  @Test func `a canvas of one pixel more, or as small as possible, is possible`() async throws {
    try await withRenderer { renderer in
      for (width, height) in [(1, 1), (17, 3), (2, 40)] {
        let file = try file(width, height, [9, 8, 7])
        for canvas in [
          PixelSize(width: width + 1, height: height), PixelSize(width: width, height: height),
          PixelSize(width: 10, height: 10), PixelSize(width: 1, height: 1),
        ] {
          let meme = try await renderer.render(order(file, on: canvas))
          #expect(meme.image.facts.size == canvas)
        }
      }
    }
  }

  @Test func `a canvas is charged, not only the small picture on it`() throws {
    let small = try file(10, 10, [9, 8, 7])
    let drawer = WorkerDrawer(shelfBytes: 0)
    let asked = Mutex([JobRequirements]())
    let ticket = RenderTicket(deadline: .now + .seconds(60)) { need in
      asked.withLock { $0.append(need) }
    }
    var task = MemeTask(
      recipe: Recipe(), maxEdge: try MaxEdge(pixels: 2000), format: .png,
      acceptableFormats: [.png], thumbnails: false)
    task.canvas = PixelSize(width: 2000, height: 1000)
    _ = try drawer.perform(RenderJob(.meme(task), .sent(small), limits: .ofRenders), ticket)
    // Encoding a PNG costs 9 for each pixel, and takes 8 bytes.
    let need = try #require(asked.withLock { $0 }.first)
    #expect(need.cost > 9 * 2_000_000 && need.bytes > 8 * 2_000_000)
    drawer.end()
  }

  private func moving(
    _ file: Bytes, on canvas: PixelSize, as format: OutputFormat, _ recipe: Recipe = Recipe()
  ) throws -> RenderOrder {
    var order = RenderOrder(
      picture: .sent(file), recipe: recipe, maxEdge: try MaxEdge(pixels: 2048), format: format,
      thumbnails: true)
    order.canvas = canvas
    return order
  }

  /// - Parameter body: receives the index and the pixels of each frame.
  private func forEachFrame(of file: Bytes, _ body: (Int, PixelBuffer) throws -> Void) throws {
    let header = try PictureHeader(of: file, maximumPixels: 1_000_000)
    try file.withUnsafeBytes { memory in
      let (reader, frame) = (try FrameReader(memory, header: header), PixelBuffer())
      for index in 0..<reader.count {
        try reader.read(into: frame)
        try body(index, frame)
      }
    }
  }

  @Test func `every frame of an animation is on a backdrop of the first`() async throws {
    let file = Bytes(try MovingFixture.wholeWebP.bytes)
    let canvas = PixelSize(width: 100, height: 96)
    try await withRenderer { renderer in
      let meme = try await renderer.render(moving(file, on: canvas, as: .webp))
      #expect(meme.image.facts.size == canvas)
      #expect(meme.thumbnails?.grid.facts.size == canvas)
      var frames = [[UInt8]]()
      try forEachFrame(of: file) { _, frame in frames.append(Array(frame.pixels)) }
      var backdrop = [UInt8]()
      try forEachFrame(of: meme.image.bytes) { index, frame in
        #expect((frame.width, frame.height) == (canvas.width, canvas.height))
        let inside = (24..<72).flatMap { y -> ArraySlice<UInt8> in
          let start = y * frame.bytesPerRow + 18 * frame.channels
          return Array(frame.pixels)[start..<start + 64 * frame.channels]
        }
        let outside = Array(frame.pixels[..<(20 * frame.bytesPerRow)])
        #expect(meanDifference(inside, frames[index]) < 8, "frame \(index)")
        if index == 0 { backdrop = outside }
        #expect(meanDifference(outside, backdrop) < 2, "frame \(index)")
        let colors = outside.indices.filter { $0 % frame.channels < 3 }.map { outside[$0] }
        #expect(colors.contains { $0 > 20 } && colors.allSatisfy { $0 < 140 }, "frame \(index)")
      }
      #expect(try frames.count == 5 && frameCount(of: meme.image.bytes) == 5)
    }
  }

  private func meanDifference(_ some: [UInt8], _ others: [UInt8]) -> Double {
    guard some.count == others.count else { return .infinity }
    return zip(some, others).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) }
      / Double(some.count)
  }

  @Test func `around an animation with transparent pixels is nothing`() async throws {
    let file = Bytes(try MovingFixture.seeThroughWebP.bytes)
    try await withRenderer { renderer in
      let canvas = PixelSize(width: 64, height: 90)
      let meme = try await renderer.render(moving(file, on: canvas, as: .gif))
      #expect(try frameCount(of: meme.image.bytes) == 4)
      try forEachFrame(of: meme.image.bytes) { index, frame in
        #expect((frame.width, frame.height) == (canvas.width, canvas.height) && frame.channels == 4)
        for y in [0, 10, 80, 89] {
          #expect(pixel(frame, 30, y)[3] == 0, "frame \(index), row \(y)")
        }
      }
    }
  }

  @Test func `frames that are higher than their canvas because of bars are made to fit`()
    async throws
  {
    var recipe = Recipe()
    (recipe.layout, recipe.top) = (.bar, try CaptionText("above"))
    try await withRenderer { [recipe] renderer in
      let canvas = PixelSize(width: 64, height: 48)
      let file = Bytes(try MovingFixture.wholeWebP.bytes)
      let meme = try await renderer.render(moving(file, on: canvas, as: .webp, recipe))
      #expect(try meme.image.facts.size == canvas && frameCount(of: meme.image.bytes) == 5)
      try forEachFrame(of: meme.image.bytes) { index, frame in
        #expect((frame.width, frame.height) == (canvas.width, canvas.height))
        #expect(pixel(frame, 32, 1).allSatisfy { $0 > 240 }, "frame \(index): the bar")
        let outside = pixel(frame, 1, 24)
        #expect(outside[..<3].allSatisfy { $0 < 140 } && outside[..<3].contains { $0 > 20 })
        #expect(outside.count == 3 || outside[3] == 255, "frame \(index)")
      }
    }
  }

  @Test func `all frames of an animation are charged, and a small one gets no large canvas`() throws
  {
    let file = Bytes(try MovingFixture.whole.bytes)
    var task = MemeTask(
      recipe: Recipe(), maxEdge: try MaxEdge(pixels: 2048), format: .gif,
      acceptableFormats: [.gif], thumbnails: false)
    task.canvas = PixelSize(width: 2000, height: 1500)
    let drawer = WorkerDrawer(shelfBytes: 0)
    let asked = Mutex([JobRequirements]())
    let ticket = RenderTicket(deadline: .now + .seconds(600)) { need in
      asked.withLock { $0.append(need) }
    }
    let job = RenderJob(.meme(task), .sent(file), limits: .ofRenders)
    guard case .meme(let meme) = try drawer.perform(job, ticket).result else {
      Issue.record("not a meme")
      return
    }
    // 5 frames have 8 megapixels together. Encoding a GIF costs 25 for each pixel, and takes 28 bytes.
    let size = meme.image.size
    #expect((1_590_000...1_610_000).contains(size.width * size.height), "\(size)")
    #expect(abs(size.width * 3 - size.height * 4) < 8, "\(size)")
    #expect(try frameCount(of: meme.image.bytes) == 5)
    let need = try #require(asked.withLock { $0 }.first)
    #expect(need.cost > 26 * 7_900_000 && need.cost < 30 * 8_000_000)
    #expect(need.bytes > (48 + 10 + 4) * 1_590_000)
    drawer.end()
  }

  private func frameCount(of file: Bytes) throws -> Int {
    try PictureHeader(of: file, maximumPixels: 100_000_000).frames
  }
}
