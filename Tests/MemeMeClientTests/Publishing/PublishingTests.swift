import Foundation
import MemeMeClient
import Support
import Testing

struct PublishingTests {
  @Test func `a meme is made, looked at, edited, deleted and restored`() async throws {
    try await withServer { server in
      let client = try await server.client(of: "grumpy_cat")
      let id = Meme.ID()
      let published = try await client.publish(
        MemeDraft(.image(try Fixture.photo.picture), top: "one 🐈", bottom: "two\nthree", id: id))
      #expect(published.isNew)
      #expect(published.deleteToken == nil)
      let meme = published.meme
      #expect(meme.id == id)
      #expect((meme.top, meme.bottom) == ("one 🐈", "two\nthree"))
      #expect(meme.author?.username == "grumpy_cat")
      #expect(meme.visibility == .everyone)
      #expect(meme.viewer.canEdit)
      #expect(meme.fit.map(\.position) == ["top", "bottom"])
      #expect(abs(meme.createdAt.timeIntervalSinceNow) < 60)
      #expect(try await client.meme(id) == meme)

      var edit = MemeEdit(bottom: "four")
      edit.font = .set("comic")
      edit.crop = .set(Crop(x: 0, y: 0, width: 320, height: 240))
      let edited = try await client.edit(id, edit, ifVersion: 1)
      #expect(edited.version == 2)
      #expect((edited.top, edited.bottom) == ("one 🐈", "four"))
      #expect(edited.style.font == "comic")
      #expect(edited.crop == Crop(x: 0, y: 0, width: 320, height: 240))

      try await client.delete(id, ifVersion: 2)
      await #expect(throws: MemeMeError.self) { try await client.meme(id) }
      let restored = try await client.restore(id)
      #expect(restored.bottom == "four")
    }
  }
}
