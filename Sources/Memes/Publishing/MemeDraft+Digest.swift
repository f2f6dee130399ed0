extension MemeDraft {
  /// Stands for everything that was sent but the id: two drafts with the same digest ask for the same meme.
  ///
  /// - Parameter picture: the digest of the picture's bytes; `nil` where nobody knows it yet.
  func digest(picture: Digest? = nil, _ digest: Digester) -> Digest {
    let style = recipe.style
    let parts = [
      self.picture.identity(picture, digest), recipe.top.text, recipe.bottom.text,
      style.fill.description,
      style.outline.description, altText.map { "=" + $0.text } ?? "",
      recipe.maxEdge.map { String($0.pixels) } ?? "", format?.rawValue ?? "",
    ]
    let audience = visibility == .public ? [] : ["visibility=\(visibility.rawValue)"]
    return Digest(of: parts + style.named + recipe.named + audience, digest)
  }

  /// The digest of the request as it was sent: the same whatever the person's settings are when it is sent again.
  func formDigest(picture: Digest? = nil, _ digest: Digester) -> Digest {
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
  /// Tells it apart from every other. A picture that is kept here counts by its name: its bytes may be gone, or
  /// others, when the same request comes again.
  fileprivate func identity(_ known: Digest?, _ digest: Digester) -> String {
    switch self {
    case .image(let file): (known ?? digest(file)).hexadecimal
    case .upload(let id): "\(field)=\(id)"
    case .template(let id): "\(field)=\(id)"
    case .remix(let id): "\(field)=\(id)"
    }
  }
}

// What was chosen that everybody had alike once. Where nothing was, there is nothing, so that drafts of that time keep
// their digests.

extension Recipe {
  fileprivate var named: [String] {
    var choices: [String] = []
    if layout != .overlay { choices.append("layout=\(layout.rawValue)") }
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
  fileprivate var named: [String] {
    let standard = CaptionStyle()
    var choices = StyleChoices()
    if font != standard.font { choices.font = font }
    if outlineWidth != standard.outlineWidth { choices.outlineWidth = outlineWidth }
    if size != standard.size { choices.size = size }
    if letterCase != standard.letterCase { choices.letterCase = letterCase }
    if align != standard.align { choices.align = align }
    // The colours have been in the digest from the start.
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
