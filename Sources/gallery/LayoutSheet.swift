import Bytes
import Imaging
import Memes
import PhotoGenerator
import Rendering

/// A sheet of recipe options other than two captions on a picture: bars, separate boxes, rotated boxes, pictures in
/// boxes, crops.
struct LayoutSheet {
  private static let (cell, gap, columns) = (380, 12, 4)

  private let renderer: PooledRenderer
  private let digest: Digest

  init(pool: RenderPool) throws {
    guard let digest = Digest([UInt8](repeating: 0, count: Digest.byteCount)) else {
      throw MissingDigest()
    }
    self.digest = digest
    renderer = PooledRenderer(pool: pool, limits: PictureLimits(pixels: 100_000_000)) { _ in
      digest
    }
  }

  private struct MissingDigest: Error {}

  private struct Sample {
    var (width, height) = (800, 600)
    var isTransparent = false
    var recipe = Recipe()
    var boxed: [Boxed] = []

    /// What a box holds.
    enum Boxed { case photo, disc }

    mutating func add(
      _ picture: Boxed, _ place: (x: Double, y: Double, width: Double, height: Double),
      _ fit: PictureBox.Fit, _ rotation: Double = 0
    ) throws {
      boxed.append(picture)
      recipe.pictures.append(
        PictureBox(place: try LayoutSheet.place(place), rotation: rotation, fit: fit))
    }
  }

  func draw() async throws -> Bytes {
    let samples = try Self.samples()
    let rows = (samples.count + Self.columns - 1) / Self.columns
    let sheet = PixelBuffer()
    sheet.reshape(
      width: Self.gap + Self.columns * (Self.cell + Self.gap),
      height: Self.gap + rows * (Self.cell + Self.gap), channels: 3)
    sheet.pixels.initializeMemory(as: UInt8.self, repeating: 0xD8)
    for (index, sample) in samples.enumerated() {
      let meme = try await draw(sample)
      sheet.place(
        meme,
        left: Self.gap + index % Self.columns * (Self.cell + Self.gap)
          + (Self.cell - meme.width) / 2,
        top: Self.gap + index / Self.columns * (Self.cell + Self.gap)
          + (Self.cell - meme.height) / 2)
    }
    return try PictureEncoder.jpeg(sheet, quality: 88)
  }

  /// Draws the meme at full size, then scales it down.
  private func draw(_ sample: Sample) async throws -> PixelBuffer {
    let photo = PixelBuffer()
    Photo.make(width: sample.width, height: sample.height, seed: 5, into: photo)
    let file =
      sample.isTransparent
      ? try PictureEncoder.png(Self.cutOut(photo)) : try PictureEncoder.jpeg(photo, quality: 95)
    var order = RenderOrder(
      picture: .sent(file), recipe: sample.recipe, maxEdge: try MaxEdge(pixels: 2048), format: nil,
      thumbnails: false)
    order.boxed = try sample.boxed.enumerated().map { index, boxed in
      let other = PixelBuffer()
      Photo.make(width: 600, height: 600, seed: UInt64(6 + index), into: other)
      let file =
        boxed == .disc
        ? try PictureEncoder.png(Self.cutOut(other)) : try PictureEncoder.jpeg(other, quality: 95)
      return BoxSource { file }
    }
    let meme = try await renderer.render(order)
    let (whole, small) = (PixelBuffer(), PixelBuffer())
    let header = try PictureHeader(of: meme.image.bytes, maximumPixels: 100_000_000)
    try PictureDecoder.decode(meme.image.bytes, header: header, maximumEdge: 2048, into: whole)
    try whole.scale(toFit: Self.cell, into: small)
    Self.layOverChequers(small)
    return small
  }

  /// Cuts a disc out of the picture and makes everything around it transparent.
  private static func cutOut(_ photo: PixelBuffer) -> PixelBuffer {
    let disc = PixelBuffer()
    disc.reshape(width: photo.width, height: photo.height, channels: 4)
    let radius = Double(min(photo.width, photo.height)) * 0.48
    for y in 0..<photo.height {
      for x in 0..<photo.width {
        let (across, down) = (Double(x - photo.width / 2), Double(y - photo.height / 2))
        let place = y * photo.width + x
        for channel in 0..<3 {
          disc.pixels[4 * place + channel] = photo.pixels[3 * place + channel]
        }
        disc.pixels[4 * place + 3] = across * across + down * down < radius * radius ? 255 : 0
      }
    }
    return disc
  }

  private static func layOverChequers(_ picture: PixelBuffer) {
    guard picture.hasAlpha else { return }
    for place in 0..<picture.width * picture.height {
      let isDark = (place % picture.width / 12 + place / picture.width / 12) % 2 == 0
      let alpha = Int(picture.pixels[4 * place + 3])
      for channel in 4 * place..<4 * place + 3 {
        let below = (isDark ? 150 : 190) * (255 - alpha)
        picture.pixels[channel] = UInt8((Int(picture.pixels[channel]) * alpha + below) / 255)
      }
      picture.pixels[4 * place + 3] = 255
    }
    picture.dropOpaqueAlpha()
  }

  private static func samples() throws -> [Sample] {
    [
      try bar("When the build is green", ""),
      try bar("One does not simply", "walk into Mordor"),
      try bar(
        "Monday: it works\nTuesday: it works\nWednesday: it is live",
        "And nobody has the slightest idea why it had worked on my machine for all those years"),
      try bar("In capitals, in the middle", "as on a picture") {
        ($0.recipe.choices.font, $0.recipe.choices.letterCase) = (.impact, .upper)
        ($0.recipe.choices.size, $0.recipe.choices.align) = (0.14, .center)
      },
      try bar("tall", "and narrow pictures too") { ($0.width, $0.height) = (500, 1000) },
      try bar("Wide as the sea", "שלום עולם 🚀") { ($0.width, $0.height) = (1600, 500) },
      try bar("a small one", "bottom") { ($0.width, $0.height) = (160, 120) },
      try bar("Nothing behind me", "") { $0.isTransparent = true },
      try boxes([
        try box("my code", (0.05, 0.08, 0.35, 0.2)),
        try box("the linter", (0.6, 0.35, 0.35, 0.2)),
        try box("me, at 2 a.m.", (0.25, 0.75, 0.5, 0.2)),
      ]),
      try boxes([
        try box("left", (0.02, 0.1, 0.4, 0.3), -30), try box("right", (0.58, 0.1, 0.4, 0.3), 30),
        try box("straight down", (0.1, 0.4, 0.8, 0.2), 90),
        try box("upside down", (0.02, 0.76, 0.42, 0.2), 180),
        try box("and up", (0.6, 0.7, 0.36, 0.2), -90),
      ]),
      try boxes([
        try box("Turned out of the picture", (0.45, 0.55, 0.55, 0.35), -55),
        try box("🚀 שלום 🔥 你好", (0.02, 0.1, 0.55, 0.2), 15),
      ]),
      try boxes([
        try box("Comic\nand yellow", (0.05, 0.05, 0.42, 0.42)) {
          ($0.style.font, $0.style.fill) = (
            FontID(stored: "comic"), Color(red: 255, green: 214, blue: 0)
          )
          ($0.style.letterCase, $0.verticalAlign, $0.style.align) = (.typed, .top, .left)
        },
        try box("no outline, to the right", (0.53, 0.05, 0.42, 0.42), 8) {
          ($0.style.outlineWidth, $0.style.font) = (0, FontID(stored: "serif"))
          ($0.style.letterCase, $0.style.align) = (.typed, .right)
        },
        try box("BIG", (0.05, 0.5, 0.9, 0.45), -8) {
          ($0.style.size, $0.style.outlineWidth) = (0.5, 0.2)
          ($0.style.fill, $0.verticalAlign) = (Color(red: 230, green: 40, blue: 60), .bottom)
        },
      ]),
      try boxes([
        try box("all", (0.05, 0.05, 0.4, 0.3)),
        try box("of these texts have the same size", (0.55, 0.05, 0.4, 0.3)),
        try box("since sameSize is set", (0.05, 0.6, 0.9, 0.3)),
      ]) { $0.recipe.sameSize = true },
      try boxes([try box("Two panels", (0.05, 0.8, 0.9, 0.15))]) {
        try $0.add(.photo, (0.02, 0.03, 0.47, 0.72), .cover)
        try $0.add(.photo, (0.51, 0.03, 0.47, 0.72), .cover)
      },
      try boxes([try box("stickers", (0.05, 0.75, 0.9, 0.2))]) {
        try $0.add(.disc, (0.05, 0.05, 0.4, 0.5), .contain)
        try $0.add(.photo, (0.5, 0.1, 0.4, 0.4), .contain, 15)
      },
      try bar("A sticker stays where it is", "if bars are added") {
        try $0.add(.disc, (0.6, 0.5, 0.38, 0.45), .contain, -20)
      },
      try cropped("the whole", try Crop(x: 0, y: 0, width: 800, height: 600)),
      try cropped("the middle", try Crop(x: 200, y: 150, width: 400, height: 300)),
      try cropped("a column", try Crop(x: 560, y: 0, width: 150, height: 600)),
      try cropped("in a bar", try Crop(x: 0, y: 300, width: 800, height: 300)) {
        $0.recipe.layout = .bar
      },
    ]
  }

  private static func bar(
    _ top: String, _ bottom: String, _ change: (inout Sample) throws -> Void = { _ in }
  ) throws -> Sample {
    var sample = Sample()
    sample.recipe.layout = .bar
    (sample.recipe.top, sample.recipe.bottom) = (try CaptionText(top), try CaptionText(bottom))
    try change(&sample)
    return sample
  }

  private static func boxes(
    _ captions: [CaptionBox], _ change: (inout Sample) throws -> Void = { _ in }
  ) throws -> Sample {
    var sample = Sample()
    sample.recipe.captions = captions
    try change(&sample)
    return sample
  }

  private static func place(
    _ place: (x: Double, y: Double, width: Double, height: Double)
  ) throws -> CaptionBox.Place {
    guard
      let place = CaptionBox.Place(x: place.x, y: place.y, width: place.width, height: place.height)
    else { throw InvalidValue(code: "out-of-range", message: "The box is not inside the picture.") }
    return place
  }

  private static func box(
    _ text: String, _ place: (x: Double, y: Double, width: Double, height: Double),
    _ rotation: Double = 0, _ change: (inout CaptionBox) -> Void = { _ in }
  ) throws -> CaptionBox {
    var box = CaptionBox(
      text: try CaptionText(text), place: try Self.place(place), rotation: rotation)
    change(&box)
    return box
  }

  private static func cropped(
    _ top: String, _ crop: Crop, _ change: (inout Sample) -> Void = { _ in }
  ) throws -> Sample {
    var sample = Sample()
    (sample.recipe.top, sample.recipe.crop) = (try CaptionText(top), crop)
    change(&sample)
    return sample
  }
}
