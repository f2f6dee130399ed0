/// An address that draws a meme from a template, such as `/images/two-buttons/left/right.png`. Path and query are like
/// those of memegen.
package struct MemeLink: Hashable, Sendable {
  /// The maximum size of a segment of the path, percent-decoded.
  package static let maximumSegmentBytes = 200

  /// The end of the path, which names the format.
  package enum Ending: String, CaseIterable, Sendable {
    case jpg, jpeg, png, webp, gif, avif

    package var format: OutputFormat {
      switch self {
      case .jpg, .jpeg: .jpeg
      case .png: .png
      case .webp: .webp
      case .gif: .gif
      case .avif: .avif
      }
    }

    package init(_ format: OutputFormat) {
      self = format == .jpeg ? .jpg : Ending(rawValue: format.rawValue) ?? .png
    }
  }

  /// An alias or an ID, as in the address.
  package let template: String
  /// Without empty ones at the end.
  package let texts: [String]
  /// `nil` if the address does not end with one.
  package let ending: Ending?
  /// The segments of the path in their canonical spelling, not percent-encoded.
  package let segments: [String]

  /// - Parameter names: the names of emoji, which the texts may contain.
  package init(template: String, texts: [String], ending: Ending?, _ names: EmojiNames) {
    (self.template, self.ending) = (template, ending)
    let texts = texts.reversed().drop(while: \.isEmpty).reversed()
    self.texts = texts.map(names.replacingNames(in:))
    var segments = [template] + self.texts.map(LinkText.segment(of:))
    if let ending { segments[segments.count - 1] += ".\(ending.rawValue)" }
    // Clients remove such segments from a path, also percent-encoded ones (RFC 3986 §5.2.4). A space in front is not
    // visible in the meme.
    for index in segments.indices.dropFirst() where [".", ".."].contains(segments[index]) {
      segments[index] = "_\(segments[index])"
    }
    self.segments = segments
  }

  /// Reads the path.
  ///
  /// - Parameters:
  ///   - template: the segment with the template.
  ///   - lines: the segments after it. All are percent-decoded.
  ///   - names: the names of emoji, which the texts may contain.
  package init(template: String, lines: [String], _ names: EmojiNames) {
    let (last, ending) = Self.split(lines.last ?? template)
    guard !lines.isEmpty else {
      self.init(template: last, texts: [], ending: ending, names)
      return
    }
    let texts = (lines.dropLast() + [last]).map(LinkText.text(of:))
    self.init(template: template, texts: texts, ending: ending, names)
  }

  private static func split(_ segment: String) -> (name: String, Ending?) {
    guard let dot = segment.unicodeScalars.lastIndex(of: "."),
      let ending = Ending(
        rawValue: String(segment.unicodeScalars[dot...].dropFirst()).lowercased())
    else { return (segment, nil) }
    return (String(segment[..<dot]), ending)
  }
}

/// How a linked meme is drawn.
package struct MemeLinkOptions: Hashable, Sendable {
  /// The smallest width and height that can be asked for.
  package static let smallestEdge = 10
  /// The length of the shorter edge if the address gives no size.
  private static let standardEdge = 600.0

  /// The size into which the picture fits. It is never enlarged. With both, it is put in the middle of a canvas of
  /// exactly this size.
  package var width: Int?
  package var height: Int?
  package var font: FontID?
  /// The colors of the texts, in their order.
  package var fills: [Color] = []
  /// Whether the texts are in bars above and below the picture, not in the boxes of the template.
  package var isTop = false
  /// The picture on another server that is drawn on.
  package var background: RemoteURL?
  /// Pictures on other servers for the places of the template, in their order. `nil` leaves a place empty. The last one
  /// is not `nil`.
  package var pictures: [RemoteURL?] = []

  package init() {}

  /// The recipe of the meme.
  ///
  /// - Throws: an error of the texts if there are more than the template has places for, or a text is too long.
  package func recipe(
    with texts: [String], on ground: LinkGround, within limit: MaxEdge
  ) throws(InvalidValue) -> Recipe {
    var base = Recipe()
    // With bars, the limit of the size says how large the meme becomes.
    base.maxEdge = isTop ? limit : try maxEdge(of: ground.facts.size, within: limit)
    base.choices.font = font
    var fields = ground.fields
    if isTop { (base.layout, fields.boxes) = (.bar, []) }
    let captions = try texts.map { text throws(InvalidValue) in try CaptionText(text) }
    var recipe = try fields.recipe(filling: captions, over: base)
    if recipe.captions.isEmpty { recipe.choices.fill = fills.first }
    for (index, fill) in fills.enumerated() where recipe.captions.indices.contains(index) {
      recipe.captions[index].style.fill = fill
    }
    if font != nil {
      for index in recipe.captions.indices { recipe.captions[index].style.font = font }
    }
    return recipe
  }

  /// The places that have a picture, in the order of the pictures.
  ///
  /// - Throws: `too-many` if there are more pictures than places.
  package func places(on ground: LinkGround) throws(InvalidValue) -> [PictureBox] {
    let places = ground.places
    guard pictures.count <= places.count else {
      throw InvalidValue(
        code: "too-many", message: "The template has places for \(places.count) pictures.")
    }
    return zip(places, pictures).filter { $1 != nil }.map(\.0)
  }

  /// The size of the canvas; `nil` if the address does not give both edges.
  package func canvas(within limit: MaxEdge) -> PixelSize? {
    guard let width, let height else { return nil }
    return PixelSize(width: width, height: height).scaled(toFit: limit.pixels)
  }

  /// The size that the meme must not exceed, including its bars.
  package func sizeLimit(on ground: LinkGround, within limit: MaxEdge) -> PixelSize {
    if let canvas = canvas(within: limit) { return canvas }
    if let height { return PixelSize(width: limit.pixels, height: height) }
    let (across, down) = (ground.facts.size.width, ground.facts.size.height)
    let scale = min(1, Self.standardEdge / Double(max(1, min(across, down))))
    let standard = max(1, Int((scale * Double(across)).rounded()))
    return PixelSize(width: width ?? standard, height: limit.pixels)
  }

  private func maxEdge(
    of size: PixelSize, within limit: MaxEdge
  ) throws(InvalidValue) -> MaxEdge {
    let (across, down) = (Double(max(1, size.width)), Double(max(1, size.height)))
    let canvas = canvas(within: limit)
    let (width, height) = (canvas?.width ?? width, canvas?.height ?? height)
    var scale = 1.0
    if width == nil, height == nil { scale = min(1, Self.standardEdge / min(across, down)) }
    if let width { scale = min(scale, Double(width) / across) }
    if let height { scale = min(scale, Double(height) / down) }
    let longest = Int((scale * max(across, down)).rounded())
    return try MaxEdge(pixels: min(max(longest, MaxEdge.range.lowerBound), limit.pixels))
  }

  /// The face with this ID, or the one that is most like the font with this name in memegen.
  package static func font(
    _ name: String, among faces: [FontFace]
  ) throws(InvalidValue) -> FontID {
    try FontID(likeness[name] ?? name, among: faces)
  }

  private static let likeness = [
    "thick": "impact", "titilliumweb": "impact", "thin": "sans", "titilliumweb-thin": "sans",
    "kalam": "comic", "tiny": "sans", "segoe": "sans", "notosans": "sans", "he": "sans",
    "jp": "sans", "hgminchob": "serif",
  ]
}
