import Bytes
import Memes
import Testing

/// Applying an edit to the state of a meme.
struct MemePatchTests {
  private let formats = OutputFormat.everywhere

  private func text(_ text: String) throws -> CaptionText { try CaptionText(text) }

  private func box(_ text: String) throws -> CaptionBox {
    let place = try #require(CaptionBox.Place(x: 0, y: 0, width: 1, height: 0.5))
    return CaptionBox(text: try self.text(text), place: place)
  }

  private func base() throws -> Revision {
    var recipe = Recipe()
    recipe.top = try text("top")
    recipe.crop = try Crop(x: 1, y: 2, width: 3, height: 4)
    recipe.choices.size = 0.3
    return Revision(
      recipe: recipe, altText: try AltText("alt"), visibility: .friends, format: .png)
  }

  /// The faults that applying the patch throws, as `field code`.
  private func faults(_ patch: MemePatch, on revision: Revision, hasAuthor: Bool = true) -> [String]
  {
    do throws(InvalidFields) {
      _ = try revision.applying(patch, hasAuthor: hasAuthor, formats: formats)
      return []
    } catch {
      return error.faults.map { "\($0.field) \($0.value.code)" }
    }
  }

  @Test func `omitted fields stay, and reset ones return to their default`() throws {
    let base = try base()
    let same = try base.applying(MemePatch(), hasAuthor: true, formats: formats)
    #expect(same.recipe == base.recipe && same.altText == base.altText)
    #expect(same.visibility == .friends && same.format == .png && same.picture == nil)
    var patch = MemePatch()
    (patch.recipe.top, patch.recipe.crop, patch.recipe.style.size) = (.reset, .reset, .reset)
    (patch.altText, patch.format, patch.visibility) = (.reset, .reset, .reset)
    let reset = try base.applying(patch, hasAuthor: true, formats: formats)
    #expect(reset.recipe == Recipe() && reset.altText == nil)
    #expect(reset.visibility == .public && reset.format == nil)
  }

  @Test func `a new picture resets the crop and the format`() throws {
    var patch = MemePatch()
    patch.picture = .image(Bytes("x"))
    let replaced = try base().applying(patch, hasAuthor: true, formats: formats)
    #expect(replaced.picture == patch.picture)
    #expect(replaced.recipe.crop == nil && replaced.recipe.choices.size == 0.3)
    #expect(replaced.format == nil)
    patch.recipe.crop = .set(try Crop(x: 0, y: 0, width: 9, height: 9))
    patch.format = .set("jpeg")
    let cropped = try base().applying(patch, hasAuthor: true, formats: formats)
    #expect(cropped.recipe.crop?.width == 9 && cropped.format == .jpeg)
  }

  @Test func `a kept format that this machine cannot write is reset`() throws {
    let kept = try base().applying(MemePatch(), hasAuthor: true, formats: [.jpeg])
    #expect(kept.format == nil)
  }

  @Test func `boxes and a bar exclude each other`() throws {
    var (bar, boxes) = (try base(), try base())
    bar.recipe.layout = .bar
    (boxes.recipe.top, boxes.recipe.captions) = (.empty, [try box("a")])
    var patch = MemePatch()
    patch.recipe.captions = .set([try box("a")])
    #expect(faults(patch, on: bar) == ["captions not-together"])
    #expect(try base().applying(patch, hasAuthor: true, formats: formats).recipe.top == .empty)
    patch = MemePatch()
    patch.recipe.layout = .set(.bar)
    #expect(faults(patch, on: boxes) == ["captions not-together"])
    patch.recipe.bottom = .set(try text("below"))
    let edges = try boxes.applying(patch, hasAuthor: true, formats: formats)
    #expect(edges.recipe.captions.isEmpty && edges.recipe.bottom.text == "below")
  }

  @Test func `faults are listed by field, whether they concern the request or the meme`() throws {
    let value = InvalidValue(code: "bad", message: "")
    var patch = MemePatch()
    patch.recipe.layout = .set(.bar)
    patch.recipe.captions = .set([try box("a")])
    patch.format = .set("bmp")
    patch.visibility = .set(.private)
    patch.faults = [
      .altText: [FieldFault("altText", value)], .recipe: [FieldFault("size", value)],
      .picture: [FieldFault("wat", value), FieldFault("upload", value)],
    ]
    #expect(
      try faults(patch, on: base(), hasAuthor: false) == [
        "wat bad", "upload bad", "size bad", "captions not-together", "altText bad",
        "format not-allowed", "visibility needs-account",
      ])
  }
}
