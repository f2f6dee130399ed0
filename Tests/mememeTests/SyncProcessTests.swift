import Eventually
import Foundation
import Support
import Synchronization
import Testing
import Wire

/// A client's copy of a person's memes, while the server is killed.
struct SyncProcessTests {
  /// A client that stores its copy and its cursor together, whatever happens to the server.
  private final class Copy: Sendable {
    private let state = Mutex<(versions: [String: Int], cursor: String?)>(([:], nil))
    private let token: String

    init(token: String) { self.token = token }

    var versions: [String: Int] { state.withLock { $0.versions } }

    /// Applies one page.
    ///
    /// - Returns: Whether there are more changes.
    func fetch(_ server: ServerProcess, limit: Int) async throws -> Bool {
      let since = state.withLock { $0.cursor }.map { "&since=\($0)" } ?? ""
      let answer = try await server.json(
        "GET", "/memes/changes?limit=\(limit)\(since)", nil, token: token
      ).expect(200)
      let (json, cursor) = (answer.json, try #require(answer.json.cursor.text))
      state.withLock { state in
        for change in json.changes.elements {
          if let id = change.id.text { state.versions[id] = nil }
          if let id = change.meme.id.text { state.versions[id] = change.meme.version.int }
        }
        state.cursor = cursor
      }
      return json.hasMore.flag == true
    }
  }

  /// Creates, edits and deletes memes until the server no longer responds.
  private func work(_ server: ServerProcess, _ token: String, _ told: Told) async {
    let form = try? FormBody([.file("image", Fixture.moving.bytes), .field("format", "jpeg")])
    guard let form else { return }
    var number = 0
    while let made = try? await server.post(form), let id = made.json.id.text {
      number += 1
      let claim = #"{"deleteToken":"\#(made.json.deleteToken.text ?? "")"}"#
      guard
        (try? await server.json("POST", "/memes/\(id)/claim", claim, token: token))?.status == 200
      else { return }
      told.note(id, 1)
      let edit = #"{"altText":"\#(number)"}"#
      guard (try? await server.patch("/memes/\(id)", edit, token: token))?.status == 200 else {
        return
      }
      told.note(id, 2)
      guard number.isMultiple(of: 3) else { continue }
      guard (try? await server.delete("/memes/\(id)", token: token))?.status == 204 else { return }
      told.note(id, nil)
    }
  }

  /// The acknowledged versions.
  private final class Told: Sendable {
    private let state = Mutex<[String: Int?]>([:])
    var versions: [String: Int?] { state.withLock { $0 } }
    func note(_ id: String, _ version: Int?) { state.withLock { $0[id] = .some(version) } }
  }

  @Test func `a copy resumes after kill -9 and ends equal to the server`() async throws {
    try await withDataFolder { folder in
      var server = try await ServerProcess(data: folder)
      let account = #""username":"ada","password":"a cat on a keyboard""#
      _ = try await server.json(
        "POST", "/users", #"{\#(account),"email":"ada@example.org"}"#
      ).expect(201)
      let session = try await server.json("POST", "/sessions", "{\(account)}").expect(201)
      let token = try #require(session.json.token.text)
      let (copy, told) = (Copy(token: token), Told())
      for (round, milliseconds) in [150, 400, 250, 600].enumerated() {
        let killed = server
        let working = (0..<2).map { _ in Task { await work(killed, token, told) } }
        let reading = Task {
          var limit = 0
          while (try? await copy.fetch(killed, limit: 1 + limit % 5)) != nil { limit += 1 }
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
        // A busy machine needs more time.
        try await eventually("\(2 * (round + 1)) versions are acknowledged") {
          told.versions.count >= 2 * (round + 1)
        }
        #expect(try await killed.end(by: SIGKILL) == SIGKILL)
        for task in working { await task.value }
        await reading.value
        server = try await ServerProcess(data: folder)
        while try await copy.fetch(server, limit: 100) {}
        let list = try await server.json("GET", "/memes?author=me&limit=100", nil, token: token)
        let items = list.expect(200).json.items.elements
        let pairs = items.compactMap { item in
          item.id.text.flatMap { id in item.version.int.map { (id, $0) } }
        }
        #expect(copy.versions == Dictionary(uniqueKeysWithValues: pairs))
        for (id, version) in told.versions {
          if let version {
            // The next step may have been executed without a response.
            #expect(copy.versions[id].map { $0 >= version } ?? (version == 2), "\(id)")
          } else {
            #expect(copy.versions[id] == nil, "\(id)")
          }
        }
      }
      #expect(told.versions.count > 5)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}
