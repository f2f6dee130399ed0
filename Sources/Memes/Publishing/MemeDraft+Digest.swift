extension MemeDraft {
  /// A digest of the whole request except the ID. Drafts with the same digest ask for the same meme.
  ///
  /// - Parameter picture: the digest of the picture's bytes; `nil` if it is not known yet.
  package func digest(picture: Digest? = nil, _ digest: Digester) -> Digest {
    let style = recipe.choices.over(.ofDigests(for: recipe.layout))
    let parts = [
      self.picture.identity(picture, digest), recipe.top.text, recipe.bottom.text,
      style.fill.description,
      style.outline.description, altText.map { "=" + $0.text } ?? "",
      recipe.maxEdge.map { String($0.pixels) } ?? "", format?.rawValue ?? "",
    ]
    let audience = visibility == .public ? [] : ["visibility=\(visibility.rawValue)"]
    let tags = tags.isEmpty ? [] : ["tags"] + tags.map(\.text)
    let texts = texts.map { ["texts"] + $0.map(\.text) } ?? []
    let boxed = zip(boxed, recipe.pictures).flatMap { source, box in
      ["picture", source.identity(digest)] + box.named
    }
    return Digest(
      of: parts + style.named + recipe.named + audience + tags + texts + boxed, digest)
  }

  /// The digest of the request as the client sent it. It does not depend on the user's settings, which may change
  /// before the client repeats the request.
  package func formDigest(picture: Digest? = nil, _ digest: Digester) -> Digest {
    guard !leftToSettings.isEmpty else { return self.digest(picture: picture, digest) }
    var form = self
    for field in leftToSettings {
      switch field {
      case .layout: form.recipe.layout = .overlay
      case .font: form.recipe.choices.font = nil
      case .fill: form.recipe.choices.fill = nil
      case .outline: form.recipe.choices.outline = nil
      case .outlineWidth: form.recipe.choices.outlineWidth = nil
      case .size: form.recipe.choices.size = nil
      case .letterCase: form.recipe.choices.letterCase = nil
      case .align: form.recipe.choices.align = nil
      case .visibility: form.visibility = .public
      }
    }
    let sent = form.digest(picture: picture, digest)
    return Digest(of: [sent.hexadecimal, "settings"] + leftToSettings.map(\.rawValue), digest)
  }
}

extension PictureSource {
  /// Identifies the source. Stored pictures are identified by their ID, because their bytes may be gone or changed when
  /// the client repeats the request.
  fileprivate func identity(_ known: Digest?, _ digest: Digester) -> String {
    switch self {
    case .image(let file): (known ?? digest(file)).hexadecimal
    case .upload(let id): "\(field)=\(id)"
    case .template(let id): "\(field)=\(id)"
    case .aliasedTemplate(let alias): "\(field)=\(alias.text)"
    case .remix(let id): "\(field)=\(id)"
    }
  }
}

extension BoxedPicture.Source {
  fileprivate func identity(_ digest: Digester) -> String {
    switch self {
    case .image(let file): digest(file).hexadecimal
    case .upload(let id): "\(field)=\(id)"
    case .template(let id): "\(field)=\(id)"
    case .kept(let index): "\(field)=\(index)"
    }
  }
}

extension PictureBox {
  fileprivate var named: [String] {
    let numbers = [place.x, place.y, place.width, place.height, rotation]
    return numbers.map(\.description) + [fit.rawValue]
  }
}

// Options that earlier versions did not have. A default value adds nothing, so that drafts from that time
// keep their digests.

extension Recipe {
  fileprivate var named: [String] {
    var choices: [String] = []
    if layout != .overlay { choices.append("layout=\(layout.rawValue)") }
    if sameSize { choices.append("sameSize") }
    if let crop { choices.append("crop=\(crop)") }
    for box in captions {
      let place = [box.place.x, box.place.y, box.place.width, box.place.height, box.rotation]
      choices += ["caption", box.text.text] + place.map(\.description)
      choices += [box.verticalAlign.rawValue] + box.style.named
    }
    return choices
  }
}

extension CaptionStyle {
  /// The default style of version 0.1.0. Digests use it still, so that drafts from that time keep theirs.
  fileprivate static func ofDigests(for layout: CaptionLayout) -> CaptionStyle {
    var style = CaptionStyle()
    if layout == .bar { (style.fill, style.outlineWidth) = (.black, 0) }
    return style
  }

  fileprivate var named: [String] {
    let standard = CaptionStyle()
    var choices = StyleChoices()
    if font != standard.font { choices.font = font }
    if outlineWidth != standard.outlineWidth { choices.outlineWidth = outlineWidth }
    if size != standard.size { choices.size = size }
    if letterCase != standard.letterCase { choices.letterCase = letterCase }
    if align != standard.align { choices.align = align }
    // The digest has always included the colors.
    return choices.named
  }
}

extension StyleChoices {
  fileprivate var named: [String] {
    [
      font.map { "font=\($0.text)" }, fill.map { "fill=\($0)" }, outline.map { "outline=\($0)" },
      outlineWidth.map { "outlineWidth=\($0)" }, size.map { "size=\($0)" },
      letterCase.map { "case=\($0.rawValue)" }, align.map { "align=\($0.rawValue)" },
    ].compactMap(\.self)
  }
}
