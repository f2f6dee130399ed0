import Bytes
import HTTP
import Memes
import Testing

@testable import API

/// Reading fields over an existing recipe, as an edit does.
struct RecipeReadingTests {
  private static let faces = ["impact", "comic"].map {
    FontFace(id: FontID(stored: $0), family: $0, installed: $0)
  }
  private static let known: Set<String> = [
    "top", "bottom", "captions", "layout", "crop", "maxEdge", "font", "fill", "outline",
    "outlineWidth", "size", "case", "align",
  ]

  private func read(_ json: String, over base: Recipe = Recipe()) throws(Problem) -> Recipe {
    var fields = try FieldDecoder(body: Bytes(json), known: Self.known)
    let recipe = fields.recipe(over: base, faces: Self.faces)
    try fields.finish()
    return recipe
  }

  private func chosen() throws -> Recipe {
    try read(
      """
      {"top": "t", "bottom": "b", "crop": {"x": 1, "y": 2, "width": 3, "height": 4}, "maxEdge": 99, "font": "comic",
      "fill": "#ff0000", "outline": "#00ff00", "outlineWidth": 0.3, "size": 0.5, "case": "typed", "align": "left"}
      """)
  }

  @Test func `omitted members stay, and null resets to the default`() throws {
    let base = try chosen()
    #expect(base.crop?.description == "1,2,3,4")
    #expect(base.style.font.text == "comic" && base.style.align == .left)
    #expect(try read("{}", over: base) == base)
    #expect(try read(#"{"size": 0.2}"#, over: base).style.fill == base.style.fill)
    let nulls = Self.known.sorted().map { "\"\($0)\": null" }.joined(separator: ",")
    #expect(try read("{\(nulls)}", over: base) == Recipe())
  }

  @Test func `boxes replace top and bottom, and vice versa`() throws {
    let box = #"{"text": "a", "x": 0, "y": 0, "width": 1, "height": 1, "font": "comic"}"#
    let boxes = try read(#"{"captions": [\#(box)]}"#, over: try chosen())
    #expect(boxes.captions.count == 1 && boxes.top == .empty && boxes.bottom == .empty)
    #expect(boxes.captions[0].style.fill == nil)
    #expect(boxes.captions[0].style.font?.text == "comic")
    #expect(try read(#"{"top": null, "bottom": ""}"#, over: boxes) == boxes)
    let edges = try read(#"{"bottom": "below"}"#, over: boxes)
    #expect(edges.captions.isEmpty && edges.bottom.text == "below")
    #expect(throws: Problem.self) { try read(#"{"layout": "bar"}"#, over: boxes) }
    let bar = try read(#"{"layout": "bar", "captions": []}"#, over: boxes)
    #expect(bar.layout == .bar && bar.captions.isEmpty)
  }

  @Test func `a default color follows the layout`() throws {
    let bar = try read(#"{"layout": "bar", "outlineWidth": 0.2}"#)
    #expect(bar.style.fill == .black && bar.style.outlineWidth == 0.2)
    #expect(try read(#"{"layout": null}"#, over: bar).style.fill == .white)
    #expect(try read(#"{"fill": null, "outlineWidth": null}"#, over: bar).style.outlineWidth == 0)
    let red = try read(#"{"layout": "bar"}"#, over: try chosen())
    #expect(red.style.fill == Color(red: 255, green: 0, blue: 0))
    #expect(red.style.outlineWidth == 0.3)
  }

  @Test(arguments: [
    (#"{"crop": {"x": 1, "y": 2, "width": 3}}"#, "crop.height missing"),
    (#"{"crop": {"x": 1, "y": 2, "width": 3, "height": 0}}"#, "crop out-of-range"),
    (#"{"crop": {"x": 1.5, "y": 2, "width": 3, "height": 4}}"#, "crop.x not-a-number"),
    (#"{"crop": {"x": 1, "y": 2, "width": 3, "height": 4, "z": 5}}"#, "crop.z unknown-field"),
    (#"{"crop": [1, 2, 3, 4]}"#, "crop not-a-text"),
    (#"{"crop": "1,2,3"}"#, "crop invalid-crop"),
  ])
  func `invalid crops are rejected`(json: String, error: String) {
    #expect { _ = try read(json) } throws: {
      ($0 as? Problem)?.fields.map { "\($0.field) \($0.code)" } == [error]
    }
  }
}
