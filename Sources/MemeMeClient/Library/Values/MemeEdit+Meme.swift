import Foundation

// Comparing edits with memes, and applying edits to memes.

extension MemeEdit {
  /// Whether the meme already contains the edit, so that nothing is left to do.
  ///
  /// A property that a meme does not expose, such as its maximum edge, counts as not applied. So does a reset of the
  /// style, because only the server knows its default style.
  func isIn(_ meme: Meme) -> Bool {
    top.isIn(meme.top, unset: "", as: \.asKept)
      && bottom.isIn(meme.bottom, unset: "", as: \.asKept)
      && captions.isIn(meme.captions, unset: []) { $0.map(\.written) }
      && writtenAltText.isIn(meme.altText, unset: meme.captionLine, as: \.asKept)
      && tags.isIn(meme.tags ?? [], unset: [], as: \.asTags)
      && format.isIn(PictureFormat(mediaType: meme.image.mediaType), unset: nil)
      && crop.isIn(meme.crop, unset: nil)
      && visibility.isIn(meme.visibility, unset: .everyone)
      && isIn(meme.style) && maxEdge == .keep && pictures.isIn(meme.pictures ?? [])
      && !changesPicture
  }

  /// The change of the alt text as the server reads it: an empty text is a reset.
  var writtenAltText: Change<String> { altText == .set("") ? .reset : altText }

  private func isIn(_ style: Style) -> Bool {
    layout.isIn(style.layout, unset: .overlay) && font.isIn(style.font)
      && fill.isIn(style.fill, as: \.lowercased) && outline.isIn(style.outline, as: \.lowercased)
      && outlineWidth.isIn(style.outlineWidth) && size.isIn(style.size)
      && self.case.isIn(style.case) && align.isIn(style.align)
      && sameSize.isIn(style.sameSize ?? false, unset: false)
  }
}

extension Change where Value: Equatable {
  /// - Parameters:
  ///   - current: The meme's value.
  ///   - unset: The value after a reset; `nil` if unknown.
  ///   - form: The normalization that the server applies.
  fileprivate func isIn(
    _ current: Value, unset: Value? = nil, as form: (Value) -> Value = { $0 }
  ) -> Bool {
    switch self {
    case .keep: true
    case .reset: unset.map { form($0) == form(current) } ?? false
    case .set(let value): form(value) == form(current)
    }
  }

  /// The variant for optional properties.
  fileprivate func isIn(_ current: Value?, unset: Value?) -> Bool {
    switch self {
    case .keep: true
    case .reset: current == unset
    case .set(let value): current == value
    }
  }
}

extension Change<[PictureBox.New]> {
  /// Whether the boxes hold the pictures that they have. A new picture counts as not applied.
  fileprivate func isIn(_ current: [PictureBox]) -> Bool {
    switch self {
    case .keep: true
    case .reset: current.isEmpty
    case .set(let pictures):
      pictures.map(\.source) == current.indices.map(PictureBox.New.Source.kept)
        && pictures.map(\.box.written) == current
    }
  }
}

extension MemeEdit {
  /// The edit with the indices of the kept pictures in another state of the meme. A meme shows no identity of the
  /// pictures in its boxes, so a picture is recognized by its box.
  ///
  /// - Parameters:
  ///   - base: The state that the indices are of.
  ///   - current: The state that the edit is applied to.
  /// - Returns: `nil` if `current` has no such box as a kept picture was in, or several.
  func keepingPictures(of base: Meme?, in current: Meme) -> MemeEdit? {
    guard let boxes = pictures.value, boxes.contains(where: \.source.isKept) else { return self }
    let before = (base?.pictures ?? []).map(\.written)
    let now = (current.pictures ?? []).map(\.written)
    guard before != now || base == nil else { return self }
    var moved: [PictureBox.New] = []
    for var box in boxes {
      if case .kept(let index) = box.source {
        guard before.indices.contains(index) else { return nil }
        let places = now.indices.filter { now[$0] == before[index] }
        guard places.count == 1, before.count(where: { $0 == before[index] }) == 1 else {
          return nil
        }
        box.source = .kept(places[0])
      }
      moved.append(box)
    }
    var edit = self
    edit.pictures = .set(moved)
    return edit
  }
}

extension PictureBox.New.Source {
  fileprivate var isKept: Bool { if case .kept = self { true } else { false } }
}

extension PictureBox {
  /// The box as the server writes it, with all defaults filled in.
  fileprivate var written: PictureBox {
    var box = self
    box.rotation = rotation ?? 0
    box.fit = fit ?? .contain
    return box
  }
}

extension String {
  /// The text as the server stores it: LF line endings, and a space for each tab.
  fileprivate var asKept: String {
    replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: " ")
  }
}

extension [String] {
  /// The tags as the server stores them: without a leading # and invisible characters, in lowercase and in Unicode
  /// normalization form KC, with the sigmas of Greek words, each once.
  fileprivate var asTags: [String] {
    var tags: [String] = []
    for text in self {
      let visible = text.unicodeScalars.drop { $0 == "#" }.filter { scalar in
        scalar.properties.generalCategory != .format
          && !scalar.properties.isDefaultIgnorableCodePoint
      }
      let tag = String(String.UnicodeScalarView(visible))
        .precomposedStringWithCompatibilityMapping.lowercased()
        .precomposedStringWithCompatibilityMapping.withSigmas
      if !tags.contains(tag) { tags.append(tag) }
    }
    return tags
  }
}

extension String {
  /// The text with each small sigma in the form of its place in a word (Unicode Standard §3.13, Final_Sigma).
  fileprivate var withSigmas: String {
    let scalars = Array(unicodeScalars)
    func isLetter(_ part: some Sequence<Unicode.Scalar>) -> Bool {
      part.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
    var text = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      guard scalar == "σ" || scalar == "ς" else {
        text.append(scalar)
        continue
      }
      let isLast = !isLetter(scalars[(index + 1)...]) && isLetter(scalars[..<index].reversed())
      text.append(isLast ? "ς" : "σ")
    }
    return String(text)
  }
}

extension Colour {
  fileprivate var lowercased: Colour { Colour(rawValue: rawValue.lowercased()) }
}

extension CaptionBox {
  /// The caption as the server writes it, with all defaults filled in.
  fileprivate var written: CaptionBox {
    var box = self
    box.text = text.asKept
    box.rotation = rotation ?? 0
    box.verticalAlign = verticalAlign ?? .middle
    box.fill = fill?.lowercased
    box.outline = outline?.lowercased
    return box
  }
}

extension PictureFormat {
  fileprivate init(mediaType: String) {
    self.init(rawValue: String(mediaType.split(separator: "/").last ?? ""))
  }
}

extension Meme {
  /// The alternative text that the server derives from the captions.
  fileprivate var captionLine: String {
    let lines = ([top, bottom] + captions.map(\.text)).map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }.filter { !$0.isEmpty }
    return lines.isEmpty
      ? "A picture without a caption." : String(lines.joined(separator: " – ").prefix(1000))
  }

  /// The meme with the edit applied. Its images do not change, because the server renders them.
  func with(_ edit: MemeEdit) -> Meme {
    var meme = self
    meme.top = edit.top.applied(to: top, unset: "")
    meme.bottom = edit.bottom.applied(to: bottom, unset: "")
    meme.captions = edit.captions.applied(to: captions, unset: [])
    if edit.setsBoxes {
      (meme.top, meme.bottom) = ("", "")
    } else if edit.setsEdges {
      meme.captions = []
    }
    if edit.pictures != .keep { meme.pictures = edit.pictures.value?.map(\.box) ?? [] }
    meme.altText = edit.writtenAltText.applied(to: altText, unset: altText)
    if edit.tags != .keep { meme.tags = (edit.tags.value ?? []).asTags }
    meme.visibility = edit.visibility.applied(to: visibility, unset: .everyone)
    meme.crop = edit.crop == .reset ? nil : edit.crop.value ?? crop
    if let value = edit.layout.value { meme.style.layout = value }
    if let value = edit.font.value { meme.style.font = value }
    if let value = edit.fill.value { meme.style.fill = value }
    if let value = edit.outline.value { meme.style.outline = value }
    if let value = edit.outlineWidth.value { meme.style.outlineWidth = value }
    if let value = edit.size.value { meme.style.size = value }
    if let value = edit.case.value { meme.style.case = value }
    if edit.sameSize != .keep { meme.style.sameSize = edit.sameSize.value ?? false }
    if let value = edit.align.value { meme.style.align = value }
    return meme
  }
}

extension Change {
  /// - Parameter unset: The value after a reset.
  func applied(to current: Value, unset: Value) -> Value {
    switch self {
    case .keep: current
    case .reset: unset
    case .set(let value): value
    }
  }
}
