import Foundation
import Memes
import Storage
import Support
import Testing

@testable import mememe

/// Versions after a restore: none is assigned twice, whatever the clock says.
struct RestoredVersionTests {
  /// Calls `body` with a data folder with two memes, a copy of its database, and the version of an edit
  /// of the first meme that the copy lacks.
  private func withHistory(
    _ body: (_ data: URL, _ copy: URL, _ memes: [String], _ lost: Int) async throws -> Void
  ) async throws {
    try await withDataFolder { folder in
      let (data, copy) = (folder.appending(path: "data"), folder.appending(path: "copy.db"))
      var memes: [String] = []
      try await withServer(in: data) { server in
        for _ in 0..<2 { memes.append(try await server.make()) }
      }
      // No server has the database open, so the file is complete without a WAL.
      try FileManager.default.copyItem(at: data.appending(path: "mememe.db"), to: copy)
      var lost = 0
      try await withServer(in: data) { server in
        lost = try await edit(memes[0], "lost", on: server)
      }
      try await body(data, copy, memes, lost)
    }
  }

  /// - Returns: The version that the edit created.
  private func edit(_ meme: String, _ top: String, on server: TestServer) async throws -> Int {
    let answer = try await server.patch(meme, #"{"top":"\#(top)"}"#, token: server.adminToken)
    return try #require(answer.expect(200).json.version.int)
  }

  private func restore(
    _ data: URL, from copy: URL, at time: Timestamp = .now()
  ) async throws {
    let folder = try DataFolder(path: data.path)
    defer { withExtendedLifetime(folder) {} }
    _ = try await Restoration(
      into: folder, migrations: Server.migrations, digest: Server.digest, now: { time },
      tell: { _ in }
    ).restore(from: copy.path, evenIfDamaged: false)
  }

  @Test func `the URL of a lost version never gets another picture`() async throws {
    try await withHistory { data, copy, memes, lost in
      #expect(lost == 2)
      var untouched = ""
      try await withServer(in: data) { server in
        untouched = try #require(try await server.get(memes[1]).json.image.url.text)
      }
      try await restore(data, from: copy)
      try await withServer(in: data) { server in
        let edited = try await edit(memes[0], "new", on: server)
        #expect(edited > lost)
        try await server.get("\(memes[0])/image?v=\(lost)").expect(410)
        try await server.get("\(memes[0])/image?v=\(edited)").expect(200)
        // A client that saw the lost version has not seen this one.
        try await server.patch(
          memes[0], #"{"top":"blind"}"#, token: server.adminToken,
          headers: [("If-Match", "\"\(lost)\"")]
        ).expect(412)
        #expect(try await edit(memes[0], "newer", on: server) == edited + 1)
        let same = try await server.get(memes[1]).expect(200)
        #expect(same.json.version.int == 1 && same.json.image.url.text == untouched)
        try await server.get(untouched).expect(200)
      }
    }
  }

  @Test func `versions stay unique if the clock is behind or a copy is restored again`()
    async throws
  {
    try await withHistory { data, copy, memes, lost in
      var given = [lost]
      for seconds in [2_000_000_000, 1_000_000_000, 0] as [Int64] {
        try await restore(
          data, from: copy, at: Timestamp(millisecondsSince1970: seconds * 1000))
        try await withServer(in: data) { server in
          for number in 0..<3 {
            given.append(try await edit(memes[0], "\(seconds) \(number)", on: server))
          }
        }
      }
      #expect(Set(given).count == given.count, "\(given)")
    }
  }

  @Test func `another machine that restores the same copy assigns other versions`() async throws {
    try await withHistory { data, copy, memes, lost in
      try await withDataFolder { other in
        var versions: [Set<Int>] = []
        for (folder, seconds) in [(data, 1_800_000_000), (other, 1_800_000_060)] as [(URL, Int64)] {
          try await restore(
            folder, from: copy, at: Timestamp(millisecondsSince1970: seconds * 1000))
          try await withServer(in: folder) { server in
            var given: Set<Int> = []
            for number in 0..<3 {
              given.insert(try await edit(memes[0], "\(seconds) \(number)", on: server))
            }
            versions.append(given)
          }
        }
        #expect(versions[0].isDisjoint(with: versions[1]) && !versions[0].contains(lost))
      }
    }
  }

  @Test func `versions of settings and comments are never reused either`() async throws {
    try await withDataFolder { folder in
      let (data, copy) = (folder.appending(path: "data"), folder.appending(path: "copy.db"))
      var (ada, comment) = ("", "")
      func change(_ server: TestServer, _ word: String) async throws -> [String?] {
        let text = try await server.patch(comment, #"{"text":"\#(word)"}"#, token: ada).expect(200)
        let theme = word == "again" ? "light" : "dark"
        let settings = try await server.patch(
          "/users/me/settings", #"{"theme":"\#(theme)"}"#, token: ada
        ).expect(200)
        // The version comes before the dot.
        return [text, settings].map { $0["etag"]?.split(separator: ".").first.map(String.init) }
      }
      try await withServer(in: data) { server in
        ada = try await server.signUp("ada")
        let meme = try await server.make()
        let answer = try await server.send(
          "POST", "\(meme)/comments",
          headers: [("Authorization", "Bearer \(ada)"), ("Content-Type", "application/json")],
          body: Array(#"{"text":"first"}"#.utf8)
        ).expect(201)
        comment = try #require(answer["location"])
      }
      try FileManager.default.copyItem(at: data.appending(path: "mememe.db"), to: copy)
      var (lost, after): ([String?], [String?]) = ([], [])
      try await withServer(in: data) { lost = try await change($0, "lost") }
      try await restore(data, from: copy)
      try await withServer(in: data) { after = try await change($0, "again") }
      for (before, now) in zip(lost, after) {
        #expect(before != nil && now != nil && before != now, "\(lost), \(after)")
      }
    }
  }
}
