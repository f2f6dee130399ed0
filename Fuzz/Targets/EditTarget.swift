import Bytes
import HTTP
import Memes

@testable import API

extension FuzzTarget {
  /// The JSON fields of an edit. The first byte selects the edited meme: with captions at its edges, in bars or in
  /// boxes.
  static let edit = FuzzTarget(name: "edit", maximumBytes: 4096) { bytes in
    var input = Input(bytes)
    let base = Recipe.bases[Int(input.byte()) % Recipe.bases.count]
    let json = Bytes(Array(input.rest))
    switch Result(of: { () throws(Problem) in try revision(json, of: base) }) {
    case .failure(let problem):
      let kinds: [ProblemKind] = [.malformedRequest, .invalidInput]
      try require(kinds.contains(problem.kind), "a bad edit is the client's fault")
      try require(
        problem.fields.isEmpty == (problem.kind != .invalidInput), "fields are named, or are not")
    case .success(let recipe):
      try recipe.check()
      try require(
        try revision(json, of: recipe) == recipe, "an edit that is sent twice changes nothing more")
    }
  }

  private static func revision(_ json: Bytes, of base: Recipe) throws(Problem) -> Recipe {
    var fields = try MemeForm.fields(of: .bytes(json))
    let patch = fields.memePatch(faces: Recipe.faces)
    let revision = Revision(recipe: base, altText: nil, visibility: .public, format: nil)
    do throws(InvalidFields) {
      return try revision.applying(patch, hasAuthor: true, formats: OutputFormat.allCases).recipe
    } catch { throw Problem(error) }
  }
}

extension Recipe {
  /// The fonts that are available while fuzzing.
  static let faces = [
    FontFace(id: .impact, family: "Impact", installed: "Impact"),
    FontFace(id: .sans, family: "Sans", installed: "Open Sans Bold"),
    FontFace(id: FontID(stored: "comic"), family: "Comic Neue", installed: "Comic Neue Bold"),
  ]

  fileprivate static let bases = [
    ##"{"top": "a", "bottom": "b", "fill": "#ff0000", "size": 0.3, "crop": "1,2,3,4", "maxEdge": 99}"##,
    #"{"layout": "bar", "top": "a", "font": "comic", "align": "left"}"#,
    #"{"captions": [{"text": "a", "x": 0, "y": 0.5, "width": 1, "height": 0.5, "rotation": 9, "size": 0.2}]}"#,
  ].map { json in
    var fields = try? MemeForm.fields(of: .bytes(Bytes(json)))
    return fields?.recipe(over: Recipe(), faces: faces) ?? Recipe()
  }

  /// Checks the invariants of every parsed recipe.
  func check() throws {
    for caption in [top, bottom] + captions.map(\.text) {
      try require(caption.text.count <= CaptionText.maximumCharacters, "a caption has its length")
      try require(!caption.text.utf8.contains(0), "a caption has no NUL")
      try require(!caption.text.utf8.contains(0x0D), "lines of a caption end with LF")
      try require(try CaptionText(caption.text) == caption, "a caption may be sent again")
    }
    let described = AltText(describing: texts)
    try require(try AltText(described.text) == described, "the altText made is one that is taken")
    for style in [style] + captions.map({ $0.style.over(style) }) {
      try require(
        CaptionStyle.outlineWidths.contains(style.outlineWidth), "an outline's pen has its width")
      try require(CaptionStyle.sizes.contains(style.size), "and letters their size")
      try require(
        Self.faces.contains { $0.id == style.font }, "they are drawn in a face that is there")
    }
    try require(captions.count <= Self.maximumCaptions, "boxes are few")
    if !captions.isEmpty {
      try require(top.text.isEmpty && bottom.text.isEmpty, "and stand alone")
      try require(layout == .overlay, "on the picture")
    }
    for box in captions {
      try require(CaptionBox.rotations.contains(box.rotation), "a box is turned once at most")
      try require(
        box.place.x + box.place.width < 1.001 && box.place.y + box.place.height < 1.001,
        "and is in the picture")
    }
    if let crop {
      try require(try Crop(crop.description) == crop, "a crop is written as it was read")
    }
    if let maxEdge {
      try require(MaxEdge.range.contains(maxEdge.pixels), "an edge has its length")
    }
  }
}
