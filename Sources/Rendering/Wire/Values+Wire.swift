import Bytes
import Memes

/// The wire format of domain values. Each value is read in the order in which it is written.

extension WireWriter {
  mutating func put(_ size: PixelSize) {
    put(size.width)
    put(size.height)
  }

  mutating func put(_ colour: Color) {
    put(colour.red)
    put(colour.green)
    put(colour.blue)
  }

  mutating func put(_ recipe: Recipe) {
    put(recipe.top.text)
    put(recipe.bottom.text)
    put(recipe.captions) { $0.put($1) }
    put(recipe.pictures) { $0.put($1) }
    put(recipe.layout)
    put(recipe.sameSize)
    put(recipe.choices)
    put(recipe.crop) { $0.put($1) }
    put(recipe.maxEdge?.pixels) { $0.put($1) }
  }

  private mutating func put(_ place: CaptionBox.Place) {
    for number in [place.x, place.y, place.width, place.height] { put(number) }
  }

  private mutating func put(_ box: PictureBox) {
    put(box.place)
    put(box.rotation)
    put(box.fit)
  }

  private mutating func put(_ box: CaptionBox) {
    put(box.text.text)
    put(box.place)
    put(box.rotation)
    put(box.verticalAlign)
    put(box.style)
  }

  private mutating func put(_ choices: StyleChoices) {
    put(choices.font?.text) { $0.put($1) }
    put(choices.fill) { $0.put($1) }
    put(choices.outline) { $0.put($1) }
    put(choices.outlineWidth) { $0.put($1) }
    put(choices.size) { $0.put($1) }
    put(choices.letterCase) { $0.put($1) }
    put(choices.align) { $0.put($1) }
  }

  mutating func put(_ crop: Crop) {
    for number in [crop.x, crop.y, crop.width, crop.height] { put(number) }
  }

  mutating func put(_ limits: PictureLimits) {
    put(limits.kinds)
    put(limits.pixels)
    put(limits.frames)
  }

  mutating func put(_ file: DrawnFile) {
    put(file.size)
    put(file.format)
    put(file: file.bytes)
  }

  mutating func put(_ fit: CaptionFit) {
    switch fit.position {
    case .top: put(-2)
    case .bottom: put(-1)
    case .box(let place): put(place)
    }
    put(fit.fontSize)
    put(fit.lines)
    put(fit.shrunk)
    put(fit.truncated)
    put(fit.missingGlyphs) { $0.put($1) }
  }

  mutating func put(_ face: FontFace) {
    put(face.id.text)
    put(face.family)
    put(face.installed)
    let fitting = face.fitting
    for number in [
      fitting.scale, fitting.fatten, fitting.letterSpacing, fitting.wordSpacing, fitting.stretch,
    ] { put(number) }
    put(face.hasFile)
    put(face.hasLowercase)
    put(face.scripts) { $0.put($1) }
  }
}

extension WireReader {
  mutating func size() throws -> PixelSize {
    // Larger than any file that is read or written.
    PixelSize(width: try whole(1...1_000_000), height: try whole(1...1_000_000))
  }

  mutating func colour() throws -> Color {
    Color(red: try byte(), green: try byte(), blue: try byte())
  }

  mutating func recipe() throws -> Recipe {
    var recipe = Recipe()
    recipe.top = CaptionText(stored: try text())
    recipe.bottom = CaptionText(stored: try text())
    recipe.captions = try list { reader in try reader.box() }
    recipe.pictures = try list(BoxedPicture.maximumCount) { reader in try reader.pictureBox() }
    recipe.layout = try value()
    recipe.sameSize = try flag()
    recipe.choices = try choices()
    recipe.crop = try optional { reader in try reader.crop() }
    recipe.maxEdge = try optional { reader in try reader.maxEdge() }
    return recipe
  }

  private mutating func place() throws -> CaptionBox.Place {
    let place = CaptionBox.Place(
      x: try fraction(), y: try fraction(), width: try fraction(), height: try fraction())
    guard let place else { throw WireFormatError() }
    return place
  }

  private mutating func pictureBox() throws -> PictureBox {
    PictureBox(place: try place(), rotation: try fraction(), fit: try value())
  }

  private mutating func box() throws -> CaptionBox {
    CaptionBox(
      text: CaptionText(stored: try text()), place: try place(), rotation: try fraction(),
      verticalAlign: try value(),
      style: try choices())
  }

  private mutating func choices() throws -> StyleChoices {
    var choices = StyleChoices()
    choices.font = try optional { reader in FontID(stored: try reader.text()) }
    choices.fill = try optional { reader in try reader.colour() }
    choices.outline = try optional { reader in try reader.colour() }
    choices.outlineWidth = try optional { reader in try reader.fraction() }
    choices.size = try optional { reader in try reader.fraction() }
    choices.letterCase = try optional { reader in try reader.value() }
    choices.align = try optional { reader in try reader.value() }
    return choices
  }

  mutating func crop() throws -> Crop {
    let (x, y, width, height) = (try whole(), try whole(), try whole(), try whole())
    do throws(InvalidValue) { return try Crop(x: x, y: y, width: width, height: height) } catch {
      throw WireFormatError()
    }
  }

  mutating func maxEdge() throws -> MaxEdge {
    let pixels = try whole()
    do throws(InvalidValue) { return try MaxEdge(pixels: pixels) } catch { throw WireFormatError() }
  }

  mutating func limits() throws -> PictureLimits {
    let kinds: Set<PictureFormat> = try set()
    var limits = PictureLimits(pixels: try whole())
    (limits.kinds, limits.frames) = (kinds, try whole())
    return limits
  }

  mutating func drawnFile() throws -> DrawnFile {
    DrawnFile(size: try size(), format: try value(), bytes: try file())
  }

  mutating func fit() throws -> CaptionFit {
    let position: CaptionFit.Position =
      switch try whole(-2...Recipe.maximumCaptions - 1) {
      case -2: .top
      case -1: .bottom
      case let place: .box(place)
      }
    return CaptionFit(
      position: position, fontSize: try fraction(), lines: try whole(0...CaptionText.maximumBytes),
      shrunk: try flag(), truncated: try flag(),
      missingGlyphs: try list { reader in try reader.text(64) })
  }

  mutating func face() throws -> FontFace {
    let (id, family, installed) = (FontID(stored: try text()), try text(), try text())
    var fitting = FontFitting()
    (fitting.scale, fitting.fatten) = (try fraction(), try fraction())
    (fitting.letterSpacing, fitting.wordSpacing) = (try fraction(), try fraction())
    fitting.stretch = try fraction()
    return FontFace(
      id: id, family: family, installed: installed, fitting: fitting, hasFile: try flag(),
      hasLowercase: try flag(), scripts: try list { reader in try reader.text(4) })
  }
}
