import Foundation
import Testing
import Wire

@testable import MemeMeClient

/// The lists that a library shows without a network.
struct ListTests {
  typealias Script = LibraryScript

  @Test func `lists are newest first in any order of arrival, and paged`() async throws {
    try await withLibrary { library, script, _ in
      let changes = (0..<7).map { index in
        Script.upsert(
          Script.meme(Meme.ID(), top: "\(index)", createdAt: "2026-11-21T08:05:00.\(index / 2)00Z"))
      }
      script.on(
        "GET /memes/changes",
        .send(
          ScriptedServer.answer(
            "200 OK",
            #"{"changes": [\#(changes.joined(separator: ","))], "cursor": "x", "hasMore": false}"#))
      )
      try await library.sync()
      let mine = try await library.create(MemeFields(top: "mine"), picture: photo)
      let whole = try await library.grid()
      #expect(whole.count == 8 && whole.first?.id == mine)
      let times = whole.map(\.createdAt)
      #expect(times == times.sorted(by: >))
      var (pages, last): ([LibraryItem], LibraryItem?) = ([], nil)
      while case let page = try await library.grid(limit: 3, after: last), !page.isEmpty {
        #expect(page.count <= 3)
        pages += page
        last = page.last
      }
      #expect(pages == whole)
    }
  }

  @Test func `thumbnails arrive after the rows, and stay until newer ones arrive`() async throws {
    try await withLibrary { library, script, server in
      let id = Meme.ID()
      script.on("GET /memes/changes", Script.page(Script.upsert(Script.meme(id, top: "a"))))
      script.on("GET /memes/ID/thumbnail", Script.problem(503, "overloaded"))
      try await library.sync()
      #expect(try await library.states() == ["a: sent"])
      try await library.sync()
      func seen() async throws -> [String] {
        try await (library.table() + library.grid()).map {
          "\($0.thumbnail.map { String(decoding: $0, as: UTF8.self) } ?? "none") \($0.thumbnailSize?.width ?? 0)"
        }
      }
      let path = "picture of /memes/\(id)/thumbnail"
      #expect(
        try await seen() == ["\(path)?view=table&v=1 192", "\(path)?view=grid&v=1 512"])
      let count = server.requests.count { $0.call == "GET /memes/ID/thumbnail" }
      try await library.sync()
      #expect(server.requests.count { $0.call == "GET /memes/ID/thumbnail" } == count)
      script.on(
        "GET /memes/changes", Script.page(Script.upsert(Script.meme(id, version: 2, top: "b"))))
      script.on(
        "GET /memes/ID/thumbnail", Script.problem(410, "gone"), Script.problem(410, "gone"))
      try await library.sync()
      #expect(
        try await seen() == ["\(path)?view=table&v=1 192", "\(path)?view=grid&v=1 512"])
      try await library.sync()
      #expect(
        try await seen() == ["\(path)?view=table&v=2 192", "\(path)?view=grid&v=2 512"])
      script.on("GET /memes/changes", Script.page(Script.deletion(id)))
      try await library.sync()
      #expect(try await library.grid().isEmpty)
    }
  }

  @Test(arguments: [(500, "internal-error"), (503, "render-timeout")])
  func `a thumbnail that cannot be drawn holds up no other`(status: Int, code: String) async throws
  {
    try await withLibrary { library, script, server in
      let changes = (0..<6).map { _ in Script.upsert(Script.meme(Meme.ID())) }
      script.on(
        "GET /memes/changes",
        .send(
          ScriptedServer.answer(
            "200 OK",
            #"{"changes": [\#(changes.joined(separator: ","))], "cursor": "x", "hasMore": false}"#))
      )
      script.on(
        "GET /memes/ID/thumbnail", Script.problem(status, code), Script.problem(status, code))
      try await library.sync()
      #expect(server.requests.count { $0.call == "GET /memes/ID/thumbnail" } == 12)
      let items = try await library.table() + library.grid()
      #expect(items.count { $0.thumbnail == nil } == 2)
    }
  }

  @Test func `seen images are available offline, up to the cache size`() async throws {
    let script = LibraryScript()
    try await withScript({ script.reply(to: $0) }) { server in
      try await withLibraryFolder { folder in
        let library = try MemeLibrary(at: folder, client: server.client(), imageCacheBytes: 250)
        let ids = (0..<3).map { _ in Meme.ID() }
        func image(_ number: Int) -> String { String(repeating: "\(number)", count: 100) }
        func reply(_ number: Int) -> ScriptedServer.Reply {
          .send(ScriptedServer.answer("200 OK", image(number), type: "image/jpeg"))
        }
        script.on(
          "GET /memes/changes",
          Script.page(
            Script.upsert(Script.meme(ids[0])), Script.upsert(Script.meme(ids[1])),
            Script.upsert(Script.meme(ids[2]))))
        try await library.sync()
        for (number, id) in ids.enumerated() {
          script.on("GET /memes/ID/image", reply(number))
          #expect(try await library.image(of: id) == .current(Data(image(number).utf8)))
        }
        // The cache has the two images seen last. The first one must be fetched, which fails.
        #expect(try await library.image(of: ids[1]) == .current(Data(image(1).utf8)))
        #expect(try await library.image(of: ids[2]) == .current(Data(image(2).utf8)))
        await #expect(throws: MemeMeError.self) { try await library.image(of: ids[0]) }
        // After an edit the earlier image is better than none.
        script.on("GET /memes/changes", Script.page(Script.upsert(Script.meme(ids[2], version: 2))))
        try await library.sync()
        #expect(try await library.image(of: ids[2]) == .earlier(Data(image(2).utf8)))
        script.on("GET /memes/ID/image", reply(7))
        #expect(try await library.image(of: ids[2]) == .current(Data(image(7).utf8)))
        await library.close()
      }
    }
  }

  @Test func `changes between two reads are one update`() async throws {
    try await withLibrary { library, _, _ in
      var updates = library.updates.makeAsyncIterator()
      #expect(await updates.next()?.isAll == true)
      var ids: Set<Meme.ID> = []
      for _ in 0..<5 { ids.insert(try await library.create(picture: photo)) }
      #expect(await updates.next() == LibraryUpdate(ids))
      for _ in 0..<300 { try await library.edit(ids.first ?? Meme.ID(), MemeEdit(top: "x")) }
      #expect(await updates.next()?.memes.count == 1)
      let waiting = Task {
        var updates = library.updates.makeAsyncIterator()
        _ = await updates.next()
        return await updates.next()
      }
      waiting.cancel()
      #expect(await waiting.value == nil)
    }
  }
}
