extension MemeDraft {
  /// Stands for everything that was sent but the id: two drafts with the same digest ask for the same meme.
  ///
  /// - Parameter picture: the digest of the picture's bytes; `nil` where nobody knows it yet.
  func digest(picture: Digest? = nil, _ digest: Digester) -> Digest {
    let parts = [
      self.picture.identity(picture, digest), top.text, bottom.text, style.fill.description,
      style.outline.description, altText.map { "=" + $0.text } ?? "",
      maxEdge.map { String($0.pixels) } ?? "", format?.rawValue ?? "",
    ]
    return Digest(of: parts + style.choices, digest)
  }
}

extension PictureSource {
  /// Tells it apart from every other. A picture that was sent before counts by its name: its bytes may be gone when the
  /// same request comes again.
  fileprivate func identity(_ known: Digest?, _ digest: Digester) -> String {
    switch self {
    case .image(let file): (known ?? digest(file)).hexadecimal
    case .upload(let id): "\(field)=\(id)"
    }
  }
}

extension CaptionStyle {
  /// What was chosen that everybody had alike once. Where nothing was, there is nothing, so that drafts of that time
  /// keep their digests.
  fileprivate var choices: [String] {
    let standard = CaptionStyle()
    var choices: [String] = []
    func add<Value: Equatable>(
      _ name: String, _ value: KeyPath<CaptionStyle, Value>, _ text: (Value) -> String
    ) {
      let chosen = self[keyPath: value]
      if chosen != standard[keyPath: value] { choices.append("\(name)=\(text(chosen))") }
    }
    add("font", \.font, \.text)
    add("outlineWidth", \.outlineWidth, \.description)
    add("size", \.size, \.description)
    add("case", \.letterCase, \.rawValue)
    add("align", \.align, \.rawValue)
    return choices
  }
}
