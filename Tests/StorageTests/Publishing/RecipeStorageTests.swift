import Memes
import SQL
import SQLite
import Testing

@testable import Storage

struct RecipeStorageTests {
  /// Captions with every style chosen, with none, and with texts that JSON must escape.
  private func captions() throws -> [CaptionBox] {
    let place = try #require(CaptionBox.Place(x: 0.1, y: 1 / 3, width: 0.3, height: 2 / 3))
    var chosen = CaptionBox(
      text: CaptionText(stored: "“a”\n\"b\" \\ \u{1}👩🏽‍❤️‍💋‍👨🏽 e\u{301}\u{2028}"), place: place,
      rotation: -12.5,
      verticalAlign: .bottom)
    (chosen.style.font, chosen.style.fill) = (FontID(stored: "comic"), try Color("#ffcc00"))
    (chosen.style.outline, chosen.style.outlineWidth) = (.white, 0)
    (chosen.style.size, chosen.style.letterCase, chosen.style.align) = (1 / 3, .typed, .right)
    return [chosen, CaptionBox(text: .empty, place: place)]
  }

  @Test func `a recipe survives a round trip, alone and in the list`() async throws {
    let captions = try captions()
    let crop = try Crop(x: 1, y: 2, width: 3, height: 4)
    try await withStore { store in
      let memes = [
        try newMeme { (recipe: inout Recipe) in
          (recipe.captions, recipe.top) = (captions, .empty)
        },
        try newMeme { recipe in
          (recipe.layout, recipe.crop, recipe.maxEdge) = (.bar, crop, try? MaxEdge(pixels: 700))
        },
        // Without choices, and with choices that equal the defaults of one layout or the other.
        try newMeme { $0.choices = StyleChoices() },
        try newMeme { recipe in
          (recipe.layout, recipe.choices) = (.bar, StyleChoices())
          recipe.choices.fill = .white
        },
        try newMeme { recipe in
          recipe.choices = StyleChoices()
          (recipe.choices.fill, recipe.choices.outlineWidth) = (.white, 0)
        },
        try newMeme(),
      ]
      for new in memes { _ = try await store.memes.insert(new) }
      for new in memes { #expect(try await store.memes.meme(new.meme.id) == new.meme) }
      let page = try await store.memes.page(after: nil, limit: 10)
      #expect(page.items == memes.reversed().map(\.meme))
      #expect(page.items.map(\.recipe.captions.count) == [0, 0, 0, 0, 0, 2])
    }
  }

  @Test func `memes from before recipes have the recipe that they were drawn by`() async throws {
    try await withScratchFolder { path in
      let before = migrations.prefix { $0.name < "0007" }
      #expect(migrations.dropFirst(before.count).first?.name == "0007_recipes.sql")
      try await withDatabase(at: path, Array(before)) { try await $0.insertFirstMeme() }
      try await withDatabase(at: path, migrations) { database in
        let page = try await MemeStore(database).page(after: nil, limit: 10)
        var recipe = Recipe()
        (recipe.top, recipe.choices.fill) = (try CaptionText("top"), try Color("#0000ff"))
        #expect(page.items.map(\.recipe) == [recipe])
      }
    }
  }

  @Test(arguments: [
    "layout = 'sides'", "layout = NULL", "captions = NULL", "max_edge = 0",
  ])
  func `an invalid recipe is not stored`(change: String) async throws {
    try await withStore { store in
      _ = try await store.memes.insert(try newMeme())
      await #expect(throws: MemeError.self) {
        try await store.database.writer.transaction { db in
          try db.run("UPDATE memes SET \(change)")
        }
      }
    }
  }

  @Test(arguments: [
    "crop = '1,2,3'", "crop = ''", "crop = '0,0,0,1'", "max_edge = 5", "captions = 'x'",
    "captions = '{}'", "captions = '[{}]'", "captions = replace(captions, '-12.5', '181')",
    "captions = replace(captions, '\"x\":0.1', '\"x\":0.9')",
    "captions = replace(captions, '#ffcc00', 'red')",
    "captions = replace(captions, 'typed', 'lower')",
    "captions = replace(captions, 'bottom', 'below')", "captions = substr(captions, 2)",
  ])
  func `a damaged recipe is an error only where it is shown`(
    change: String
  ) async throws {
    let captions = try captions()
    try await withStore { store in
      let new = try newMeme { $0.captions = captions }
      _ = try await store.memes.insert(new)
      #expect(try await store.memes.meme(new.meme.id) == new.meme)
      try await store.database.writer.transaction { db in
        try db.run("UPDATE memes SET \(change)")
      }
      let memes = store.memes
      #expect(
        await failure { _ = try await memes.meme(new.meme.id) } == "storage"
      )
      #expect(try await memes.gridCells(after: nil, limit: 5).items.count == 1)
      _ = try await memes.picture(.image, of: new.meme.id)
    }
  }
}
