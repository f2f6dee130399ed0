import Eventually
import Foundation
import Support
import Synchronization
import Testing
import Wire

@testable import MemeMeClient

struct PublishingTests {
  @Test func `a meme is created, fetched, edited, deleted and restored`() async throws {
    try await withLiveServer { server in
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
      let kept = try JSONEncoder.mememe.encode(meme)
      #expect(try JSONDecoder.mememe.decode(Meme.self, from: kept) == meme)

      var edit = MemeEdit(bottom: "four")
      edit.font = .set("comic")
      edit.crop = .set(Crop(x: 0, y: 0, width: 320, height: 240))
      let edited = try await client.edit(id, edit, ifVersion: 1)
      #expect(edited.version == 2)
      #expect((edited.top, edited.bottom) == ("one 🐈", "four"))
      #expect(edited.style.font == "comic")
      #expect(edited.crop == Crop(x: 0, y: 0, width: 320, height: 240))
      edit = MemeEdit()
      edit.crop = .reset
      #expect(try await client.edit(id, edit, ifVersion: 2).crop == nil)

      do {
        try await client.delete(id, ifVersion: 2)
        Issue.record("another version was deleted")
      } catch let error as MemeMeError {
        #expect(error.code == .preconditionFailed)
        #expect(error.problem?.current?.version == 3)
        #expect(error.problem?.current?.bottom == "four")
      }
      try await client.delete(id, ifVersion: 3)
      #expect(await failure { _ = try await client.meme(id) } == "gone")
      #expect(try await client.restore(id).bottom == "four")
    }
  }

  @Test func `every field of a draft reaches the server`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "grumpy_cat")
      var fields = MemeFields(top: "a \"quoted\"\r\nline", visibility: .friends)
      fields.altText = "a cat; name=\"x\""
      fields.maxEdge = 200
      fields.format = .png
      fields.layout = .bar
      fields.font = "serif"
      fields.fill = "#102030"
      fields.outline = "#405060"
      fields.outlineWidth = 0.05
      fields.size = 0.2
      fields.case = .typed
      fields.align = .left
      fields.sameSize = true
      fields.crop = Crop(x: 10, y: 20, width: 300, height: 200)
      let meme = try await client.publish(
        MemeDraft(.image(try Fixture.photo.picture), fields)
      ).meme
      #expect(meme.top == "a \"quoted\"\nline")
      #expect(meme.altText == "a cat; name=\"x\"")
      #expect(max(meme.image.width, meme.image.height) == 200)
      #expect(meme.image.mediaType == "image/png")
      #expect(
        meme.style
          == Style(
            font: "serif", fill: "#102030", outline: "#405060", outlineWidth: 0.05, size: 0.2,
            case: .typed, align: .left, layout: .bar, sameSize: true))
      #expect(meme.crop == fields.crop)
      #expect(meme.visibility == .friends)

      var box = CaptionBox("in a box", x: 0.1, y: 0.2, width: 0.5, height: 0.25)
      box.rotation = -12.5
      box.verticalAlign = .bottom
      box.fill = "#ffd600"
      let boxed = try await client.publish(
        MemeDraft(.image(try Fixture.photo.picture), MemeFields(captions: [box]))
      ).meme
      #expect(boxed.captions == [box])
      #expect(boxed.fit.map(\.position) == ["captions[0]"])

      fields = MemeFields(bottom: "of another picture")
      let replaced = try await client.edit(
        meme.id, fields, picture: try Fixture.progressive.picture, ifVersion: 1)
      #expect(replaced.original?.width == 320)
      #expect(replaced.bottom == "of another picture")
    }
  }

  @Test func `a repeated request creates one meme`() async throws {
    try await withLiveServer { server in
      let client = server.client()
      let (key, draft) = (IdempotencyKey(), MemeDraft(.image(try Fixture.moving.picture), top: "x"))
      let first = try await client.publish(draft, key: key)
      let again = try await client.publish(draft, key: key)
      #expect(first.isNew && !again.isNew)
      #expect(first.meme.id == again.meme.id)
      #expect(first.deleteToken != nil && first.deleteToken == again.deleteToken)
      var other = draft
      other.fields.top = "y"
      #expect(
        await failure { _ = try await client.publish(other, key: key) } == "idempotency-key-reused")

      other.id = Meme.ID()
      let named = try await client.publish(other)
      let renamed = try await client.publish(other)
      #expect(named.isNew && !renamed.isNew)
      #expect(renamed.deleteToken == nil)
      other.fields.top = "z"
      #expect(await failure { _ = try await client.publish(other) } == "id-taken")
      let owner = client.authorized(by: named.deleteToken)
      try await owner.delete(named.meme.id)
      other.fields.top = "y"
      #expect(await failure { _ = try await client.publish(other) } == "gone")
      #expect(try await client.memes().items.count == 1)
    }
  }

  @Test func `an anonymous meme is claimed with its token`() async throws {
    try await withLiveServer { server in
      let made = try await server.client().publish(
        MemeDraft(.image(try Fixture.moving.picture), top: "x"))
      let token = try #require(made.deleteToken)
      let client = try await server.client(of: "grumpy_cat")
      #expect(try await client.claim(made.meme.id, token).author?.username == "grumpy_cat")
      let other = try await server.client(of: "surprised_cat")
      #expect(await failure { _ = try await other.claim(made.meme.id, token) } == "already-claimed")
    }
  }

  @Test func `every invalid field is named, and an error has the request id`() async throws {
    try await withLiveServer { server in
      var fields = MemeFields()
      fields.font = "wingdings"
      fields.fill = "red"
      fields.maxEdge = 1
      let draft = MemeDraft(.image(try Fixture.photo.picture), fields)
      do {
        _ = try await server.client().publish(draft)
        Issue.record("nothing was refused")
      } catch let error as MemeMeError {
        let problem = try #require(error.problem)
        #expect((problem.status, problem.code) == (422, .invalidInput))
        #expect(problem.fields.map(\.field).sorted() == ["fill", "font", "maxEdge"])
        #expect(problem.fields.contains { $0.code == "unknown-font" && !$0.message.isEmpty })
        // Request lines are logged in batches, with a delay.
        try await eventually("the request is logged") {
          try server.log.contains(problem.requestID)
        }
        #expect(!error.isAmbiguous)
      }
    }
  }

  @Test func `a preview returns a picture and stores nothing`() async throws {
    try await withLiveServer { server in
      let client = server.client()
      let steps = Mutex(0)
      let drawn = try await client.preview(
        MemeDraft(.image(try Fixture.photo.picture), top: "so it", id: Meme.ID())
      ) { _ in steps.withLock { $0 += 1 } }
      #expect(drawn.mediaType == "image/jpeg")
      #expect(drawn.data.starts(with: [0xFF, 0xD8]))
      #expect(steps.withLock { $0 } > 0)
      #expect(try await client.memes().items.isEmpty)
    }
  }

  @Test func `a canceled upload ends and leaves no meme`() async throws {
    try await withLiveServer { server in
      let relay = try StallingRelay(to: server.port, after: 1_000_000)
      defer { relay.stop() }
      let picture = Picture.data(Data(try Fixture.photo.bytes) + Data(count: 30_000_000))
      let draft = MemeDraft(.image(picture), top: "x")
      let sending = Task { try await relay.client().publish(draft) }
      try await eventually("a megabyte has passed") { relay.passedBytes >= 1_000_000 }
      sending.cancel()
      #expect(await failure { _ = try await sending.value } == "cancelled")
      // The connection ends, and with it the server's request.
      try await eventually("the connection ends") { relay.connections == 0 }
      #expect(try await server.client().memes().items.isEmpty)
      _ = try await server.client().publish(draft)
      #expect(try await server.client().memes().items.count == 1)
    }
  }
}
