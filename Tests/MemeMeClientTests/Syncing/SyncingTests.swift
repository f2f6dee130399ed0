import Eventually
import Foundation
import Support
import Testing
import Wire

@testable import MemeMeClient

/// Changes and events, from a real server.
struct SyncingTests {
  private func publish(_ client: MemeMeClient, _ top: String) async throws -> Meme {
    try await client.publish(MemeDraft(.image(try Fixture.moving.picture), top: top)).meme
  }

  @Test func `changes start with all memes and continue with what is new`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      let one = try await publish(client, "one")
      let two = try await publish(client, "two")
      let first = try await client.changes(limit: 1)
      #expect(first.changes == [.upsert(one)])
      #expect(first.hasMore)
      let second = try await client.changes(since: first.cursor)
      #expect(second.changes == [.upsert(two)])
      #expect(!second.hasMore)
      try await client.delete(one.id)
      let third = try await client.changes(since: second.cursor)
      guard case .delete(one.id, let deletedAt) = try #require(third.changes.first) else {
        Issue.record("\(third)")
        return
      }
      #expect(abs(deletedAt.timeIntervalSinceNow) < 60)
      #expect(
        await failure { _ = try await client.changes(since: Cursor("x")) } == "invalid-cursor")
      #expect(await failure { _ = try await server.client().changes() } == "unauthorized")
    }
  }

  @Test func `a wait returns when a change happens`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      let start = try await client.changes()
      let waiting = Task { try await client.changes(since: start.cursor, wait: .seconds(30)) }
      try await Task.sleep(for: .milliseconds(200))
      let meme = try await publish(client, "x")
      let page = try await waiting.value
      #expect(page.changes == [.upsert(meme)])
      let nothing = try await client.changes(since: start.cursor, limit: 100)
      #expect(try await client.changes(since: nothing.cursor, wait: .seconds(1)).changes == [])
    }
  }

  @Test func `events arrive as they happen, and resume after a given one`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      let start = try await client.changes().cursor
      var events = client.events(since: start).makeAsyncIterator()
      let one = try await publish(client, "one")
      let told = try await events.next()
      let first = try #require(told)
      #expect(first.change == .upsert(one))
      let edited = try await client.edit(one.id, MemeEdit(top: "two"))
      let second = try await events.next()
      #expect(second?.change == .upsert(edited))

      var again = client.events(since: first.cursor).makeAsyncIterator()
      let repeated = try await again.next()
      #expect(repeated?.change == .upsert(edited))
      #expect(try await client.changes(since: second?.cursor).changes == [])
      #expect(
        await failure { for try await _ in client.events(since: Cursor("x")) {} } != "none")
      #expect(
        await failure { for try await _ in server.client().events() {} } == "unauthorized")
    }
  }

  @Test func `a large picture is uploaded in pieces and becomes a meme`() async throws {
    try await withLiveServer { server in
      let client = try await server.client(of: "ada")
      let count = Int(ResumableUpload.pieceBytes) * 2 + 1000
      let file = server.folder.appending(path: "photo.jpg")
      let photo = Data(try Fixture.photo.bytes)
      try (photo + Data(count: count - photo.count)).write(to: file)
      let id = try await client.upload(.file(file))
      let state = try await client.uploadState(id)
      #expect((state.bytes, state.offset) == (Int64(count), Int64(count)))
      #expect((state.width, state.mediaType) == (640, "image/jpeg"))
      let made = try await client.publish(MemeDraft(.upload(id), top: "x")).meme
      #expect(made.original?.bytes == count)
      try await client.delete(id)
      #expect(await failure { _ = try await client.uploadState(id) } != "none")
      #expect(try await client.original(made.id).data.count == count)
    }
  }

  @Test func `an interrupted upload of a large picture resumes`() async throws {
    try await withLiveServer { server in
      let relay = try StallingRelay(to: server.port, after: 3_000_000)
      defer { relay.stop() }
      let photo = Data(try Fixture.photo.bytes)
      let picture = Picture.data(photo + Data(count: 20_000_000))
      var begun: Upload.ID?
      let told = AsyncStream<Upload.ID>.makeStream()
      let sending = Task {
        try await relay.client().upload(picture, started: { told.continuation.yield($0) })
      }
      for await id in told.stream {
        begun = id
        break
      }
      try await eventually("three megabytes have passed") { relay.passedBytes >= 3_000_000 }
      sending.cancel()
      #expect(await failure { _ = try await sending.value } == "cancelled")
      let client = server.client()
      let id = try await client.upload(picture, resuming: begun)
      #expect(id == begun)
      let state = try await client.uploadState(id)
      #expect(state.offset == Int64(photo.count + 20_000_000))
      _ = try await client.publish(MemeDraft(.upload(id), top: "x"))
    }
  }

  @Test func `an upload that is not a picture is rejected at its end`() async throws {
    try await withLiveServer { server in
      #expect(
        await failure { _ = try await server.client().upload(.data(Data(count: 1000))) }
          == "unsupported-picture")
    }
  }
}
