import Bytes
import Foundation
import Memes
import Metrics
import Testing

@testable import Rendering

/// Values arrive unchanged in a process that draws.
struct WireTests {
  private let digest = Digest { for (index, _) in $0.enumerated() { $0[index] = UInt8(index) } }

  private func jobs() throws -> [RenderJob] {
    var recipe = Recipe()
    (recipe.top, recipe.bottom) = (try CaptionText("ÖNE\n🔥"), .empty)
    (recipe.layout, recipe.sameSize) = (.bar, true)
    recipe.crop = try Crop(x: 1, y: 2, width: 3, height: 4)
    recipe.maxEdge = try MaxEdge(pixels: 77)
    recipe.choices.font = FontID(stored: "comic")
    recipe.choices.fill = Color(red: 1, green: 2, blue: 3)
    (recipe.choices.outlineWidth, recipe.choices.letterCase) = (0.25, .typed)
    let place = try #require(CaptionBox.Place(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
    var box = CaptionBox(
      text: try CaptionText("box"), place: place, rotation: -12.5, verticalAlign: .bottom)
    (box.style.align, box.style.size, box.style.outline) = (.right, 0.02, .black)
    var boxes = Recipe()
    boxes.captions = Array(repeating: box, count: Recipe.maximumCaptions)
    boxes.pictures = [
      PictureBox(place: place), PictureBox(place: place, rotation: 30, fit: .cover),
    ]
    let facts = PictureFacts(
      size: PixelSize(width: 640, height: 480), format: .webp, byteCount: 99, digest: digest)
    let kept = StoredSource(facts: facts) { Bytes("kept") }
    let task = MemeTask(
      recipe: recipe, maxEdge: try MaxEdge(pixels: 2048), format: .avif,
      acceptableFormats: [.png, .gif], thumbnails: true)
    let plain = MemeTask(
      recipe: boxes, maxEdge: try MaxEdge(pixels: 16), format: nil,
      acceptableFormats: OutputFormat.allCases, thumbnails: false)
    var onCanvas = plain
    onCanvas.canvas = PixelSize(width: 1200, height: 630)
    var limited = plain
    limited.sizeLimit = PixelSize(width: 300, height: 2048)
    return [
      RenderJob(.meme(task), .sent(Bytes("sent")), limits: .ofRenders),
      RenderJob(.meme(plain), .kept(kept), limits: PictureLimits(pixels: 5)),
      RenderJob(.meme(plain), .copied(kept, crop: recipe.crop), limits: PictureLimits(pixels: 5)),
      RenderJob(
        .meme(plain), .kept(kept),
        boxed: [BoxSource { Bytes("a") }, BoxSource(isCopied: true) { Bytes("bc") }],
        limits: PictureLimits(pixels: 5)),
      RenderJob(.meme(onCanvas), .sent(Bytes("sent")), limits: .ofRenders),
      RenderJob(.meme(limited), .sent(Bytes("sent")), limits: .ofRenders),
      RenderJob(.head, .sent(Bytes()), limits: .ofRenders),
      RenderJob(.avatar, .sent(Bytes()), limits: .ofRenders),
      RenderJob(.initials("Ö", Color(red: 9, green: 8, blue: 7), .medium)),
      RenderJob(.template, .sent(Bytes()), limits: .ofRenders),
      RenderJob(.flaw(.heic, PixelSize(width: -1, height: 0)), .sent(Bytes()), limits: .ofRenders),
      RenderJob(.trial), RenderJob(.faces), RenderJob(.writable([.avif, .jpeg])),
      RenderJob(.readable, limits: .ofRenders), RenderJob(.sample(.impact)),
      RenderJob(.fontFile(FontID(stored: "u4e00"))),
    ]
  }

  @Test func `a job survives a round trip`() throws {
    for job in try jobs() {
      var writer = WireWriter()
      let boxed = try job.boxed.map { try $0.bytes() }
      job.write(to: &writer, within: .milliseconds(1234), boxedBytes: boxed.map(\.count))
      var reader = WireReader(writer.bytes)
      let (read, time) = try RenderJob.read(from: &reader) {
        Bytes("file" + boxed.compactMap(\.utf8Text).joined())
      }
      #expect(time == .milliseconds(1234))
      #expect(read.limits == job.limits)
      #expect(read.shelvedDigest == job.shelvedDigest)
      // If writing it again gives the same bytes, it was read correctly.
      var again = WireWriter()
      read.write(to: &again, within: time, boxedBytes: boxed.map(\.count))
      #expect(try read.boxed.map { try $0.bytes() } == boxed)
      #expect(again.bytes == writer.bytes)
      if case .meme(let left) = job.work, case .meme(let right) = read.work {
        #expect(left == right)
      }
      if job.picture != nil { #expect(try read.picture?.bytes() == Bytes("file")) }
      #expect((job.picture == nil) == (read.picture == nil))
    }
  }

  private func file(_ text: String, _ width: Int = 3) -> DrawnFile {
    DrawnFile(size: PixelSize(width: width, height: 2), format: .png, bytes: Bytes(text))
  }

  private var results: [RenderResult] {
    let fits = [
      CaptionFit(
        position: .top, fontSize: 12.5, lines: 3, shrunk: true, truncated: false,
        missingGlyphs: ["\u{10FFFD}"]),
      CaptionFit(
        position: .box(19), fontSize: 0, lines: 0, shrunk: false, truncated: true,
        missingGlyphs: []),
    ]
    var meme = DrawnMeme(
      original: PictureHead(size: PixelSize(width: 7, height: 8), format: .heic),
      copy: Bytes("copy"), image: file("image"), fit: fits)
    meme.thumbnails = DrawnMeme.Thumbnails(table: file("", 1), grid: file("grid"))
    meme.boxed = [nil, file("boxed")]
    var fitting = FontFitting()
    fitting.scale = 1.25
    let face = FontFace(
      id: .impact, family: "Impact", installed: "Anton", fitting: fitting, hasFile: true,
      hasLowercase: false, scripts: ["Cyrl", "Latn"])
    return [
      .meme(meme),
      .head(PictureHead(size: PixelSize(width: 1, height: 1_000_000), format: .gif)),
      .avatar([file("small"), file("medium"), file("large")]), .initials(file("letters")),
      .template(file("copy"), thumbnail: file("small")), .flaw(nil), .flaw(.format(nil)),
      .flaw(.format(.gif)), .flaw(.size(PixelSize(width: 5, height: 6))),
      .flaw(.undecodable("it ends too early")), .trial, .faces([face], added: 3),
      .writable([.jpeg, .avif]), .readable(missing: [.heic]), .sample(Bytes("png")),
      .fontFile(Bytes()),
    ]
  }

  /// Returns a reader for the result of a helper.
  private func reader(_ values: [UInt8], _ files: [Bytes]) -> WireReader {
    let all = files.flatMap { $0.withUnsafeBytes { Array($0) } }
    return WireReader(values, fileBytes: all.count) { offset, count in
      offset + count <= all.count ? Bytes(Array(all[offset..<offset + count])) : nil
    }
  }

  @Test func `a result survives a round trip, and other lengths are rejected`() throws {
    for result in results {
      var writer = WireWriter()
      result.write(to: &writer)
      var reader = reader(writer.bytes, writer.files)
      #expect(try RenderResult.read(from: &reader) == result)
      for count in 0..<writer.bytes.count {
        var short = self.reader(Array(writer.bytes[..<count]), writer.files)
        #expect(throws: WireFormatError.self) { try RenderResult.read(from: &short) }
      }
      var long = self.reader(writer.bytes + [0], writer.files)
      #expect(throws: WireFormatError.self) { try RenderResult.read(from: &long) }
      var more = self.reader(writer.bytes, writer.files + [Bytes("x")])
      #expect(throws: WireFormatError.self) { try RenderResult.read(from: &more) }
    }
  }

  @Test func `a file of another format than declared is no picture`() {
    func isOf(_ format: PictureFormat, _ bytes: [UInt8]) -> Bool {
      DrawnFile(size: PixelSize(width: 1, height: 1), format: format, bytes: Bytes(bytes))
        .isOfItsKind
    }
    let files: [PictureFormat: [UInt8]] = [
      .jpeg: [0xFF, 0xD8, 0xFF, 0xE0], .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
      .gif: Array("GIF89a".utf8), .webp: Array("RIFF1234WEBP".utf8),
      .avif: [0, 0, 0, 32] + Array("ftypavif".utf8),
    ]
    for format in PictureFormat.allCases {
      for (kind, bytes) in files { #expect(isOf(format, bytes) == (format == kind)) }
      #expect(!isOf(format, Array("<html>".utf8)))
      #expect(!isOf(format, []))
    }
  }

  @Test func `a failure survives a round trip, and its reason is truncated`() throws {
    let crop = InvalidValue(code: "out-of-range", message: "The picture is 1 × 1 pixels.")
    for failure: RenderFailure in [
      .unsupported, .invalid(field: "crop", crop), .late, .notFound, .needsPicture,
      .starved("no memory"), .library("vips"),
    ] {
      var writer = WireWriter()
      failure.write(to: &writer)
      var reader = WireReader(writer.bytes)
      #expect(try RenderFailure.read(from: &reader) == failure)
    }
    var writer = WireWriter()
    RenderFailure.library(String(repeating: "é", count: 600)).write(to: &writer)
    var reader = WireReader(writer.bytes)
    #expect(
      try RenderFailure.read(from: &reader) == .library(String(repeating: "é", count: 512)))
    // A field that does not concern pictures.
    writer = WireWriter()
    RenderFailure.invalid(field: "password", crop).write(to: &writer)
    reader = WireReader(writer.bytes)
    #expect(throws: WireFormatError.self) { try RenderFailure.read(from: &reader) }
  }

  @Test func `a message survives a round trip`() throws {
    var message = HelperMessage(.result, number: 7)
    (message.valueBytes, message.fileBytes) = (65, 1 << 33)
    (message.shelfBytes, message.isFromShelf) = (12, true)
    #expect(try HelperMessage(message.bytes) == message)
    #expect(message.filePlace == 128)
    message.confinement = [.files, .calls]
    #expect(try HelperMessage(message.bytes).confinement == [.files, .calls])
    message.fileBytes = nil
    #expect(try HelperMessage(message.bytes).fileBytes == nil)
    for place in 0..<8 {
      var bytes = message.bytes
      bytes[place] ^= 1
      #expect(throws: WireFormatError.self) { try HelperMessage(bytes) }
    }
  }

  @Test func `few values follow the message, and many are in the memory`() throws {
    var message = HelperMessage(.job, number: 1)
    var isCarried = message.carry([1, 2, 3])
    #expect(isCarried)
    #expect(message.filePlace == 0)
    #expect(try HelperMessage(message.bytes) == message)
    #expect(throws: WireFormatError.self) { try HelperMessage(message.bytes.dropLast()) }
    #expect(throws: WireFormatError.self) { try HelperMessage(message.bytes + [4]) }

    let most = HelperMessage.maximumByteCount - HelperMessage(.job, number: 1).bytes.count
    isCarried = message.carry([UInt8](repeating: 5, count: most))
    #expect(isCarried)
    #expect(message.bytes.count == HelperMessage.maximumByteCount)
    isCarried = message.carry([UInt8](repeating: 5, count: most + 1))
    #expect(!isCarried)
    #expect(message.values == nil)
    #expect(message.filePlace >= most + 1)
    #expect(try HelperMessage(message.bytes) == message)
  }

  @Test func `a picture is rejected for ten minutes after its second crash`() {
    let held = HeldInstant()
    let crashes = CrashedPictures(testDigest) { held.now }
    let (bad, other) = (Bytes("bad"), Bytes("other"))
    crashes.add([bad])
    #expect(!crashes.refuses([bad]))
    crashes.add([bad])
    #expect(crashes.refuses([bad]))
    #expect(!crashes.refuses([other]))
    held.pass(.seconds(599))
    #expect(crashes.refuses([bad]))
    held.pass(.seconds(1))
    #expect(!crashes.refuses([bad]))
    crashes.add([bad])
    #expect(!crashes.refuses([bad]))
  }

  @Test func `pictures that crash together are rejected only together`() {
    let crashes = CrashedPictures(testDigest)
    let (template, sticker) = (Bytes("template"), Bytes("sticker"))
    for _ in 1...2 { crashes.add([template, sticker]) }
    #expect(crashes.refuses([template, sticker]))
    for files in [[template], [sticker], [sticker, template], [template, sticker, sticker], []] {
      #expect(!crashes.refuses(files))
    }
  }

  @Test(arguments: [
    (800, 512, 192, true), (801, 512, 192, false), (800, 513, 192, false), (1, 1, 193, false),
  ])
  func `a picture larger than the job allows is rejected`(
    image: Int, grid: Int, table: Int, isWithin: Bool
  ) throws {
    func file(_ edge: Int) -> DrawnFile {
      DrawnFile(size: PixelSize(width: 1, height: edge), format: .jpeg, bytes: Bytes())
    }
    var meme = DrawnMeme(
      original: PictureHead(size: PixelSize(width: 9000, height: 9000), format: .jpeg),
      image: file(image), fit: [])
    meme.thumbnails = DrawnMeme.Thumbnails(table: file(table), grid: file(grid))
    let task = MemeTask(
      recipe: Recipe(), maxEdge: try MaxEdge(pixels: 800), format: nil, acceptableFormats: [.jpeg],
      thumbnails: true)
    #expect(RenderResult.meme(meme).isWithin(RenderJob(.meme(task))) == isWithin)
    let avatars = [64, 192, 512].map(file)
    #expect(RenderResult.avatar(avatars).isWithin(RenderJob(.avatar)))
    #expect(!RenderResult.avatar(avatars.reversed()).isWithin(RenderJob(.avatar)))
  }

  @Test func `a meme without a copy that the job asks for is rejected, and one with another too`()
    throws
  {
    let task = MemeTask(
      recipe: Recipe(), maxEdge: try MaxEdge(pixels: 800), format: nil, acceptableFormats: [.jpeg],
      thumbnails: true)
    let boxed = [false, true].map { isCopied in BoxSource(isCopied: isCopied) { Bytes() } }
    let job = RenderJob(.meme(task), boxed: boxed)
    for (copies, isWithin) in [
      ([nil, file("x")], true), ([file("x"), file("x")], false), ([nil, nil], false),
      ([nil], false),
      ([nil, file("x"), nil], false),
    ] {
      var meme = DrawnMeme(
        original: PictureHead(size: PixelSize(width: 9, height: 9), format: .jpeg),
        image: file("image"), fit: [])
      meme.boxed = copies
      #expect(RenderResult.meme(meme).isWithin(job) == isWithin)
    }
  }

  @Test func `while no picture is rejected, none is hashed`() {
    let held = HeldInstant()
    let digests = Counter()
    let crashes = CrashedPictures(
      { bytes in
        digests.add()
        return testDigest(bytes)
      }, now: { held.now })
    crashes.add([Bytes("bad")])
    #expect(!crashes.refuses([Bytes("other")]))
    #expect(digests.value == 1)
    crashes.add([Bytes("bad")])
    #expect(!crashes.refuses([Bytes("other")]))
    #expect(digests.value == 3)
    held.pass(.seconds(600))
    #expect(!crashes.refuses([Bytes("other")]))
    #expect(digests.value == 3)
  }

  @Test func `processes that end at once are restarted with pauses`() {
    let limit = StartLimit(users: 2)
    var starts: [ContinuousClock.Instant] = []
    let now = ContinuousClock.now
    // Two in use, the spare one, and five more for each.
    for _ in 0..<13 { #expect(limit.pause(after: &starts, now: now) == nil) }
    #expect(limit.pause(after: &starts, now: now + .seconds(4)) == 6)
    #expect(limit.pause(after: &starts, now: now + .seconds(10)) == nil)
    #expect(starts.count == 2)
  }
}

/// A clock that advances only by hand.
// Accessed only on the test's thread: CrashedPictures calls the clock on its caller's thread.
private final class HeldInstant: @unchecked Sendable {
  private(set) var now = ContinuousClock.now

  func pass(_ time: Duration) { now += time }
}
