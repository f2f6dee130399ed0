import Memes
import SQL
import SQLite
import Storage
import Testing

struct StyleMigrationTests {
  @Test func `memes from before styles have the style that they were drawn in`() async throws {
    try await withScratchFolder { path in
      let before = migrations.prefix { $0.name < "0005" }
      #expect(migrations.dropFirst(before.count).first?.name == "0005_styles.sql")
      try await withDatabase(at: path, Array(before)) { try await $0.insertFirstMeme() }
      try await withDatabase(at: path, migrations) { database in
        let page = try await MemeStore(database).page(after: nil, limit: 10)
        let meme = try #require(page.items.first)
        #expect(meme.recipe.style == CaptionStyle(fill: try Color("#0000ff"), outline: .black))
        #expect(meme.recipe.top.text == "top")
      }
    }
  }

  @Test func `an invalid style is not stored`() async throws {
    try await withStore { store in
      _ = try await store.memes.insert(try newMeme())
      for change in ["letter_case = 'lower'", "align = 'middle'", "font = NULL"] {
        await #expect(throws: MemeError.self, "\(change)") {
          try await store.database.writer.transaction { db in
            try db.run("UPDATE memes SET \(change)")
          }
        }
      }
    }
  }
}
