import Foundation
import MemeMeClient
import Support
import Testing

struct ListingTests {
  @Test func `lists have three views, pages and access rules`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "grumpy_cat")
      for number in 0..<5 {
        let fields = MemeFields(
          top: "cat \(number)", visibility: number == 0 ? .onlyMe : .everyone)
        _ = try await client.publish(MemeDraft(.image(try Fixture.moving.picture), fields))
      }
      let full = try await client.memes(MemeQuery(author: MemeQuery.me))
      #expect(full.items.map(\.top) == (0..<5).reversed().map { "cat \($0)" })
      #expect(full.nextCursor == nil)
      let first = try await client.memes(as: MemeRow.self, limit: 2)
      #expect(first.items.map(\.top) == ["cat 4", "cat 3"])
      let second = try await client.memes(as: MemeRow.self, limit: 2, after: first.nextCursor)
      #expect(second.items.map(\.top) == ["cat 2", "cat 1"])
      var cells: [Meme.ID] = []
      for try await cell in Pages({ try await client.memes(as: MemeCell.self, limit: 2, after: $0) }
      ) {
        cells.append(cell.id)
      }
      #expect(cells == full.items.map(\.id))
      #expect(try await server.client().memes().items.count == 4)
      #expect(try await client.memes(MemeQuery(words: "cat 2")).items.map(\.top) == ["cat 2"])
      #expect(try await client.memes(MemeQuery(sort: .oldest)).items.first?.top == "cat 0")
      try await client.like(full.items[2].id)
      #expect(try await client.memes(MemeQuery(sort: .popular)).items.first?.top == "cat 2")
      #expect(
        try await client.feed(as: MemeCell.self, limit: 3).items.map(\.id) == Array(cells[..<3]))
      #expect(try await server.client().memes(of: "grumpy_cat", as: MemeRow.self).items.count == 4)

      #expect(await failure { _ = try await client.memes(limit: 101) } == "invalid-input")
      #expect(await failure { _ = try await client.memes(after: Cursor("x")) } == "invalid-cursor")
      #expect(await failure { _ = try await server.client().feed() } == "unauthorized")
    }
  }

  @Test func `pictures are fetched as rendered, in other sizes and as uploaded`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "grumpy_cat")
      let meme = try await client.publish(
        MemeDraft(.image(try Fixture.photo.picture), top: "x")
      ).meme
      let image = try await client.image(meme.id, version: 1)
      #expect(image.data.count == meme.image.bytes)
      #expect(image.mediaType == meme.image.mediaType)
      let small = try await client.image(meme.id, width: 100, format: .png)
      #expect(small.mediaType == "image/png")
      #expect(small.data.starts(with: [0x89, 0x50]))
      let grid = try await client.thumbnail(meme.id)
      let table = try await client.thumbnail(meme.id, .table, version: 1)
      #expect(!grid.data.isEmpty && grid != table)
      #expect(try await client.original(meme.id).data == Data(try Fixture.photo.bytes))
      #expect(await failure { _ = try await server.client().original(meme.id) } == "not-found")
      _ = try await client.edit(meme.id, MemeEdit(top: "y"))
      #expect(await failure { _ = try await client.image(meme.id, version: 1) } == "gone")
    }
  }

  @Test func `memes are made with fonts, templates, uploads and remixes`() async throws {
    try await withLiveServer { server in
      let client = server.client()
      let fonts = try await client.fonts()
      #expect(fonts.contains { $0.id == "impact" })
      #expect(try await client.fontSample("impact").mediaType == "image/png")
      let comic = try await client.fontFile("comic")
      #expect([Data("OTTO".utf8), Data([0, 1, 0, 0])].contains(comic.prefix(4)))

      let upload = try await client.sendAhead(try Fixture.photo.picture)
      #expect((upload.width, upload.height) == (640, 480))
      #expect(upload.expiresAt > .now)
      let ahead = try await client.publish(MemeDraft(.upload(upload.id), top: "x"))
      #expect(ahead.meme.top == "x")

      let (template, token) = try await client.keepTemplate(
        try Fixture.photo.picture, name: "Surprised cat", altText: "A cat")
      #expect((template.name, template.altText) == ("Surprised cat", "A cat"))
      #expect(try await client.templates().items.map(\.id) == [template.id])
      #expect(try await client.template(template.id) == template)
      #expect(try await client.image(template.id).data.count == template.image.bytes)
      #expect(!(try await client.thumbnail(template.id)).data.isEmpty)
      let made = try await client.publish(MemeDraft(.template(template.id), top: "tuna"))
      let remix = try await client.publish(MemeDraft(.remix(made.meme.id), top: "not again"))
      #expect(remix.meme.id != made.meme.id)
      #expect(await failure { try await client.delete(template.id) } == "unauthorized")
      try await client.authorized(by: token).delete(template.id)
      #expect(await failure { _ = try await client.template(template.id) } == "gone")
    }
  }

  @Test func `texts fill the boxes of a template`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "grumpy_cat")
      var box = CaptionBox("this", x: 0.5, y: 0, width: 0.5, height: 0.5)
      box.fill = "#ff0000"
      var fields = TemplateFields(name: "Two panels", boxes: [TemplateBox(name: "No", box)])
      (fields.tags, fields.aliases) = (["choice"], ["two-panels"])
      let place = PictureBox(x: 0, y: 0.5, width: 0.5, height: 0.5, fit: .cover)
      fields.pictures = [place]
      let (template, _) = try await client.keepTemplate(.image(try Fixture.photo.picture), fields)
      #expect(template.boxes?.map(\.name) == ["No"])
      #expect(template.boxes?.first?.caption.fill == "#ff0000")
      #expect(template.pictures?.map(\.x) == [0] && template.pictures?.first?.fit == .cover)
      #expect(try await client.template(alias: "two-panels") == template)
      var draft = MemeDraft(.template(template.id))
      draft.texts = ["tests"]
      let meme = try await client.publish(draft).meme
      #expect(meme.captions.map(\.text) == ["tests"] && meme.captions[0].fill == "#ff0000")
      let copy = try await client.keepTemplate(.remix(meme.id), TemplateFields(name: "copy"))
      #expect(copy.template.boxes?.map(\.caption.text) == ["tests"])
      var edit = TemplateEdit()
      (edit.name, edit.boxes, edit.pictures) = (.set("One panel"), .reset, .reset)
      let edited = try await client.edit(template.id, edit)
      #expect(
        edited.name == "One panel" && edited.boxes == [] && edited.pictures == []
          && edited.tags == ["choice"])
      edit.aliases = .set(["two-panels"])
      #expect(await failure { _ = try await client.edit(copy.template.id, edit) } == "alias-taken")
      let found = try await client.templates(TemplateQuery(words: "cho pan"), limit: 5)
      #expect(found.items.map(\.id) == [template.id])
      let popular = try await client.templates(TemplateQuery(isByPopularity: true), limit: 1)
      #expect(popular.items.map(\.id) == [template.id] && popular.nextCursor != nil)
      #expect(try await client.templates(TemplateQuery(tag: "none")).items.isEmpty)
    }
  }

  @Test func `a meme is shared by link and by mail, and counted`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "grumpy_cat")
      let meme = try await client.publish(MemeDraft(.image(try Fixture.moving.picture), top: "x"))
        .meme
      let links = try await client.shareLinks(for: meme.id)
      #expect(links.url.hasSuffix("/m/\(meme.id)"))
      #expect(links.link(for: .whatsapp)?.hasPrefix("https://") == true)
      #expect(links.link(for: .other) == nil)
      try await client.recordShare(of: meme.id, by: .link)
      try await client.mail(meme.id, to: "friend@example.org")
      #expect(try await server.mails(1).count == 1)
      #expect(try await client.meme(meme.id).counts.shares == 2)
    }
  }
}
