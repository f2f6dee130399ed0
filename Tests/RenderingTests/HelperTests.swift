import Bytes
import DrawingHelper
import Foundation
import Imaging
import Memes
import Support
import Testing

@testable import Rendering

/// A job has the same result in another process as in this one.
struct HelperTests {
  private func withBoth(
    _ limits: PictureLimits = PictureLimits(pixels: 1_000_000),
    _ body: (_ here: PooledRenderer, _ there: PooledRenderer) async throws -> Void
  ) async throws {
    var limits = limits
    limits.kinds.insert(.avif)
    let pool = RenderPool(
      settings: RendererSettings(workers: 1),
      helpers: HelperProgram(path: ServerProcess.executable.path), digest: testDigest)
    let there = PooledRenderer(pool: pool, limits: limits, digest: testDigest)
    do { try await withRenderer(limits: limits) { try await body($0, there) } } catch {
      await pool.stop()
      throw error
    }
    await pool.stop()
  }

  private static let texts = [
    "one does not simply", "Вы не можете просто", "δεν μπορείς", "لا يمكنك ببساطة", "简单地走进",
    "เดินเข้าไปใน",
    "ერთი", "fire 🔥 and ice 🧊", "",
  ]

  #if os(Linux)
    /// Whether libvips has its loaders in modules, as on Debian.
    private static let hasModules = ["x86_64", "aarch64"].contains { processor in
      let folder = "/usr/lib/\(processor)-linux-gnu"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.contains { $0.hasPrefix("vips-modules-") }
    }

    @Test(.enabled(if: hasModules))
    func `libraries for formats that are not accepted are not loaded`() async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "loaded-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      // The dynamic linker writes the names of all files that it loads.
      var program = HelperProgram(path: ServerProcess.executable.path)
      program.additions["LD_DEBUG"] = "files"
      program.additions["LD_DEBUG_OUTPUT"] = folder.appending(path: "log").path
      let process = try HelperProcess(program)
      _ = try process.waitUntilReady(by: .now + .seconds(60))
      process.end(within: 10)
      let log = folder.appending(path: "log.\(process.process)")
      let loaded = String(decoding: try Data(contentsOf: log), as: UTF8.self)
      #expect(loaded.contains("/libvips.so") && loaded.contains("/vips-heif.so"))
      for library in ["vips-magick", "libMagick", "libpoppler", "libopenslide", "libjxl"] {
        #expect(!loaded.contains("/\(library)"), "\(library)")
      }
    }
  #endif

  @Test(arguments: [
    Fixture.photo, .progressive, .cmyk, .transparent, .webp, .transparentWebP, .opaqueAlpha, .avif,
  ])
  func `memes are identical byte by byte`(fixture: Fixture) async throws {
    let file = Bytes(try fixture.bytes)
    try await withBoth { here, there in
      for (index, text) in Self.texts.enumerated() {
        let format = OutputFormat.allCases[index % 4]
        for (layout, crop) in [
          (CaptionLayout.overlay, nil), (.bar, try Crop(x: 1, y: 2, width: 30, height: 20)),
        ] {
          var recipe = Recipe()
          (recipe.top, recipe.bottom) = (try CaptionText(text), try CaptionText("walk"))
          (recipe.layout, recipe.crop) = (layout, crop)
          let order = try order(file, recipe, maxEdge: 200, format: format, thumbnails: true)
          try await expectSame(order, here, there)
        }
      }
    }
  }

  @Test(arguments: [MovingFixture.whole, .wholeWebP])
  func `moving memes are identical`(fixture: MovingFixture) async throws {
    let file = Bytes(try fixture.bytes)
    try await withBoth { here, there in
      for format in [nil, OutputFormat.png, .webp, .gif] {
        try await expectSame(try order(file, format: format), here, there)
      }
    }
  }

  @Test func `memes on a canvas are identical`() async throws {
    try await withBoth { here, there in
      for fixture in [Fixture.photo, .transparent, .cmyk] {
        for (width, height) in [(400, 300), (90, 700), (199, 1)] {
          var order = try order(Bytes(try fixture.bytes), maxEdge: 200, thumbnails: false)
          order.canvas = PixelSize(width: width, height: height)
          try await expectSame(order, here, there)
        }
      }
    }
  }

  @Test func `memes with pictures in boxes are identical, and so are the copies`() async throws {
    let (photo, sticker) = (
      Bytes(try Fixture.photo.bytes), Bytes(try Fixture.transparent.bytes)
    )
    let place = try #require(CaptionBox.Place(x: 0.1, y: 0.2, width: 0.5, height: 0.4))
    try await withBoth { here, there in
      for file in [photo, Bytes(try MovingFixture.whole.bytes)] {
        var recipe = Recipe()
        recipe.pictures = [
          PictureBox(place: place), PictureBox(place: place, rotation: 30, fit: .cover),
          PictureBox(place: place, rotation: -5),
        ]
        var order = try order(file, recipe, maxEdge: 300, thumbnails: true)
        order.boxed = [
          BoxSource { sticker }, BoxSource(isCopied: true) { photo },
          BoxSource(isCopied: true) { sticker },
        ]
        try await expectSame(order, here, there)
        let (left, right) = (try await here.render(order), try await there.render(order))
        #expect(left.boxed.map { $0 == nil } == [true, false, false])
        #expect(left.boxed.map { $0?.bytes } == right.boxed.map { $0?.bytes })
        // The file of the picture alone.
        #expect(left.original.byteCount == file.count)
      }
    }
  }

  private func expectSame(
    _ order: RenderOrder, _ here: PooledRenderer, _ there: PooledRenderer
  ) async throws {
    let (left, right) = (try await here.render(order), try await there.render(order))
    #expect(left.image.bytes == right.image.bytes)
    #expect(left.image.facts == right.image.facts)
    #expect(left.original == right.original)
    #expect(left.thumbnails?.grid.bytes == right.thumbnails?.grid.bytes)
    #expect(left.thumbnails?.table.facts == right.thumbnails?.table.facts)
    #expect(left.fit == right.fit)
    #expect(left.copy == right.copy)
  }

  @Test func `all other results are identical`() async throws {
    let file = Bytes(try Fixture.photo.bytes)
    try await withBoth { here, there in
      try await there.checkHealth()
      #expect(try await here.facts(of: file) == there.facts(of: file))
      #expect(try await here.faces() == there.faces())
      let formats = try await there.writable(OutputFormat.allCases)
      #expect(try await here.writable(OutputFormat.allCases) == formats)
      #expect(try await here.unreadable() == there.unreadable())
      let (ours, theirs) = (try await here.avatar(of: file), try await there.avatar(of: file))
      for size in AvatarSize.allCases {
        #expect(ours.files[size]?.facts == theirs.files[size]?.facts)
      }
      let look = DrawnAvatar(username: try Username("somebody"), displayName: nil)
      #expect(try await here.draw(look, .small).bytes == there.draw(look, .small).bytes)
      let (copy, theirCopy) = (
        try await here.template(of: .sent(file)), try await there.template(of: .sent(file))
      )
      #expect(copy.picture.facts == theirCopy.picture.facts)
      #expect(copy.thumbnail.bytes == theirCopy.thumbnail.bytes)
      #expect(try await here.sample(of: .impact) == there.sample(of: .impact))
      await #expect(throws: MemeError.self) {
        _ = try await there.sample(of: FontID(stored: "none"))
      }
    }
  }

  @Test func `both processes reject the same pictures for the same reasons`() async throws {
    let file = Bytes(try Fixture.photo.bytes)
    let broken = try #require(file.slice(0..<file.count / 2))
    var outside = Recipe()
    outside.crop = try Crop(x: 600, y: 0, width: 41, height: 1)
    let orders = [
      try order(broken), try order(Bytes("no picture")), try order(file, outside),
      try order(Bytes()),
    ]
    func failure(_ renderer: PooledRenderer, _ order: RenderOrder) async -> String {
      do {
        _ = try await renderer.render(order)
        return "drawn"
      } catch { return "\(error)" }
    }
    try await withBoth { here, there in
      for order in orders {
        let ours = await failure(here, order)
        #expect(ours != "drawn")
        #expect(await failure(there, order) == ours)
      }
    }
  }

  @Test func `a picture larger than the kept memory is identical`() async throws {
    // Noise cannot be compressed: 5 MB.
    let pixels = PixelBuffer()
    pixels.reshape(width: 1300, height: 1300, channels: 3)
    var random = SystemRandomNumberGenerator()
    for index in pixels.pixels.indices {
      pixels.pixels[index] = UInt8.random(in: 0...255, using: &random)
    }
    let file = try PictureEncoder.png(pixels)
    try await withBoth(PictureLimits(pixels: 2_000_000)) { here, there in
      let order = try order(file, maxEdge: 2048, format: .png)
      for _ in 0..<2 { try await expectSame(order, here, there) }
    }
  }
}
