import Bytes
import HTTP
import Memes

@testable import API

extension FuzzTarget {
  /// The form of an upload as the API reads it: a line with the Content-Type, then the body.
  static let form = FuzzTarget(name: "form", maximumBytes: 4096) { bytes in
    var input = Input(bytes)
    let seed = input.byte()
    guard let type = HeaderValue(String(decoding: input.line(), as: UTF8.self)) else { return }
    let body = Array(input.rest)
    let whole = UploadForm.read([Bytes(body)], type)
    try require(UploadForm.read(body.cut(by: seed), type) == whole, "the same in any pieces")
    switch whole {
    case .failure(let problem):
      let kinds: [ProblemKind] = [
        .malformedRequest, .unsupportedMediaType, .contentTooLarge, .invalidInput,
      ]
      try require(kinds.contains(problem.kind), "a bad form is the client's fault")
      try require(
        problem.fields.isEmpty == (problem.kind != .invalidInput), "fields are named, or are not")
    case .success(let form):
      try form.check()
    }
  }
}

private struct UploadForm: Equatable {
  let draft: MemeDraft

  /// The rule of `POST /memes`, with a small picture.
  private static let rule: FormRule? = {
    // Uploads of a few bytes find room in memory.
    let spool = SpoolPlace(directory: "/nowhere", memoryBytes: 1 << 20)
    guard case .form(let rule, _) = MemeForm.body(maxUploadBytes: 1024, spool: spool) else {
      return nil
    }
    return rule
  }()

  private static let faces = [
    FontFace(id: .impact, family: "Impact", installed: "Impact"),
    FontFace(id: FontID(stored: "comic"), family: "Comic Neue", installed: "Comic Neue Bold"),
  ]

  static func read(
    _ pieces: [Bytes], _ type: HeaderValue
  ) -> Result<UploadForm, Problem> {
    do throws(Problem) {
      guard let rule else { throw Problem(.internalError) }
      let reader = try FormReader(contentType: type, rule: rule)
      for piece in pieces {
        try piece.withUnsafeBytes { bytes throws(Problem) in try reader.receive(bytes) }
      }
      return .success(
        UploadForm(
          draft: try MemeForm.draft(
            from: MemeForm.fields(of: reader.finish()), faces: faces, formats: OutputFormat.allCases
          )))
    } catch {
      return .failure(error)
    }
  }

  func check() throws {
    if case .image(let file) = draft.picture {
      try require((1...1024).contains(file.count), "there is a picture, and not too large")
    }
    let recipe = draft.recipe
    for caption in [recipe.top, recipe.bottom] + recipe.captions.map(\.text) {
      try require(caption.text.count <= CaptionText.maximumCharacters, "a caption has its length")
      try require(!caption.text.utf8.contains(0), "a caption has no NUL")
      try require(!caption.text.utf8.contains(0x0D), "lines of a caption end with LF")
      try require(try CaptionText(caption.text) == caption, "a caption may be sent again")
    }
    if let altText = draft.altText {
      try require((1...AltText.maximumCharacters).contains(altText.text.count), "so has an altText")
    }
    let described = AltText(describing: recipe.texts)
    try require(try AltText(described.text) == described, "the altText made is one that is taken")
    for style in [recipe.style] + recipe.captions.map({ $0.style.over(recipe.style) }) {
      try require(
        CaptionStyle.outlineWidths.contains(style.outlineWidth), "so has the outline's pen")
      try require(CaptionStyle.sizes.contains(style.size), "and the letters")
      try require(
        Self.faces.contains { $0.id == style.font }, "they are drawn in a face that is there")
    }
    try require(recipe.captions.count <= Recipe.maximumCaptions, "boxes are few")
    if !recipe.captions.isEmpty {
      try require(recipe.top.text.isEmpty && recipe.bottom.text.isEmpty, "and stand alone")
      try require(recipe.layout == .overlay, "on the picture")
    }
    for box in recipe.captions {
      try require(CaptionBox.rotations.contains(box.rotation), "a box is turned once at most")
      try require(
        box.place.x + box.place.width < 1.001 && box.place.y + box.place.height < 1.001,
        "and is in the picture")
    }
    if let crop = recipe.crop {
      try require(try Crop(crop.description) == crop, "a crop is written as it was read")
    }
    if let edge = recipe.maxEdge { try require(MaxEdge.range.contains(edge.pixels), "an edge too") }
  }

  static func == (left: UploadForm, right: UploadForm) -> Bool {
    let (left, right) = (left.draft, right.draft)
    return left.id == right.id && left.picture == right.picture && left.recipe == right.recipe
      && left.altText == right.altText && left.format == right.format
  }
}
