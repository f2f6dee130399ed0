import Foundation
import MemeMeClient
import Support
import Testing

/// A server whose database is restored from an older copy.
struct RestoredServerTests {
  @Test func `a cursor from before a restore is expired, and the library ends equal`()
    async throws
  {
    try await withDataFolder { folder in
      let data = folder.appending(path: "data")
      let copy = folder.appending(path: "copy.db")
      var token = ""
      var (kept, edited, deleted): (Meme?, Meme?, Meme?)
      try await withLiveServer(in: data) { server in
        token = try await server.signUp("ada")
        let client = server.client(token)
        kept = try await publish(client, "kept")
        edited = try await publish(client, "edited")
        deleted = try await publish(client, "deleted")
      }
      let (one, two, three) = (
        try #require(kept), try #require(edited), try #require(deleted)
      )
      // No server has the database open, so the file is complete without a WAL.
      try FileManager.default.copyItem(at: data.appending(path: "mememe.db"), to: copy)

      let library = try MemeLibrary(
        at: folder.appending(path: "library"), client: MemeMeClient(folder))
      var cursor: Cursor?
      try await withLiveServer(in: data) { server in
        let client = server.client(token)
        library.client = client
        _ = try await client.edit(two.id, MemeEdit(top: "edited since"))
        try await client.delete(three.id)
        _ = try await publish(client, "made since")
        try await library.sync()
        cursor = try await client.changes().cursor
        #expect(try await tops(library) == ["edited since", "kept", "made since"])
      }

      let (code, output) = try await ServerProcess.run(
        ["restore", copy.path, "--data", data.path])
      #expect(code == 0, "\(output)")
      try await withLiveServer(in: data) { server in
        let client = server.client(token)
        library.client = client
        #expect(
          await failure { _ = try await client.changes(since: cursor) } == "cursor-expired")
        try await library.sync()
        #expect(try await tops(library) == ["deleted", "edited", "kept"])
        let there = try await client.changes().changes
        for meme in [one, two, three] { #expect(there.contains(.upsert(meme))) }
        // New changes get numbers that were assigned before the restore.
        _ = try await client.edit(one.id, MemeEdit(top: "kept on"))
        try await library.sync()
        #expect(try await tops(library) == ["deleted", "edited", "kept on"])
      }
      await library.close()
    }
  }

  @Test
  func `a pending edit is sent if its meme is unchanged, and becomes a draft otherwise`()
    async throws
  {
    try await withDataFolder { folder in
      let (data, copy) = (folder.appending(path: "data"), folder.appending(path: "copy.db"))
      var (token, memes): (String, [Meme]) = ("", [])
      try await withLiveServer(in: data) { server in
        token = try await server.signUp("ada")
        for top in ["same", "other"] { memes.append(try await publish(server.client(token), top)) }
      }
      let (same, other) = (memes[0], memes[1])
      try FileManager.default.copyItem(at: data.appending(path: "mememe.db"), to: copy)

      let library = try MemeLibrary(
        at: folder.appending(path: "library"), client: MemeMeClient(folder))
      try await withLiveServer(in: data) { server in
        library.client = server.client(token)
        _ = try await server.client(token).edit(other.id, MemeEdit(top: "lost by the restore"))
        try await library.sync()
        #expect(try await library.meme(other.id).meme?.version == 2)
        let old = try await server.client(token).image(other.id)
        #expect(try await library.image(of: other.id) == .current(old.data))
      }
      // Offline edits.
      for meme in memes { try await library.edit(meme.id, MemeEdit(bottom: "waits")) }

      let (code, output) = try await ServerProcess.run(
        ["restore", copy.path, "--data", data.path])
      #expect(code == 0, "\(output)")
      // A server that reuses versions, as 0.1.0 does.
      try await editDatabase(in: data, "UPDATE epochs SET version_floor = 0")
      try await withLiveServer(in: data) { server in
        let client = server.client(token)
        library.client = client
        let edited = try await client.edit(other.id, MemeEdit(top: "by another device"))
        #expect(edited.version == 2)
        try await library.sync()
        let now = try await client.meme(other.id)
        #expect(now.top == "by another device" && now.bottom == "")
        #expect(try await library.drafts().map(\.meme) == [other.id])
        #expect(try await client.meme(same.id).bottom == "waits")
        // The picture has changed too.
        let served = try await client.image(other.id)
        #expect(try await library.image(of: other.id) == .current(served.data))
      }
      await library.close()
    }
  }

  private func publish(_ client: MemeMeClient, _ top: String) async throws -> Meme {
    try await client.publish(MemeDraft(.image(try Fixture.moving.picture), top: top)).meme
  }

  private func tops(_ library: MemeLibrary) async throws -> [String] {
    try await library.table().map(\.top).sorted()
  }
}
