import Eventually
import Foundation
import Support
import Synchronization
import Testing
import Wire

/// Durability of likes and comments if the server is killed.
struct SocialProcessTests {
  /// A client that likes, unlikes and comments without a pause.
  private final class Client: Sendable {
    struct Seen {
      /// Whether the person likes the meme, as far as acknowledged.
      var likes = false
      /// Whether a request that would change `likes` is unacknowledged.
      var isUnsure = false
      /// The number of acknowledged comments, and of requested ones.
      var written = 0
      var asked = 0
    }

    let token: String
    private let seen = Mutex(Seen())

    init(token: String) { self.token = token }

    var state: Seen { seen.withLock { $0 } }

    /// Takes over the server's state.
    func learn(likes: Bool) { seen.withLock { ($0.likes, $0.isUnsure) = (likes, false) } }

    /// Runs until the server no longer responds.
    func work(_ server: ServerProcess, on meme: String) async {
      while true {
        let likes = !state.likes
        seen.withLock { $0.isUnsure = true }
        let method = likes ? "PUT" : "DELETE"
        guard let answer = try? await server.json(method, "\(meme)/like", nil, token: token),
          answer.status == 204
        else { return }
        seen.withLock { ($0.likes, $0.isUnsure) = (likes, false) }
        seen.withLock { $0.asked += 1 }
        guard
          let comment = try? await server.json(
            "POST", "\(meme)/comments", #"{"text":"words"}"#, token: token),
          comment.status == 201
        else { return }
        seen.withLock { $0.written += 1 }
      }
    }
  }

  @Test func `acknowledged writes survive kill -9, and counts match their lists`() async throws {
    try await withDataFolder { folder in
      var server = try await ServerProcess(data: folder)
      let form = FormBody([.file("image", try Fixture.moving.bytes)])
      let meme = try #require(try await server.post(form).expect(201)["location"])
      var clients: [Client] = []
      for number in 0..<6 {
        let name = "person\(number)"
        let account =
          #"{"username":"\#(name)","email":"\#(name)@example.org","password":"a cat on a keyboard"}"#
        _ = try await server.json("POST", "/users", account).expect(201)
        let session = try await server.json(
          "POST", "/sessions", #"{"username":"\#(name)","password":"a cat on a keyboard"}"#
        ).expect(201)
        clients.append(Client(token: try #require(session.json.token.text)))
      }
      for round in 1...3 {
        let killed = server
        await withTaskGroup(of: Void.self) { group in
          for client in clients { group.addTask { await client.work(killed, on: meme) } }
          // Each round is killed in the middle of some write.
          try? await eventually("\(10 * round) writes are acknowledged") {
            clients.reduce(0) { $0 + $1.state.written } >= 10 * round
          }
          #expect((try? await killed.end(by: SIGKILL)) == SIGKILL)
        }
        server = try await ServerProcess(data: folder)
        let counts = try await server.get(meme).expect(200).json.counts
        let likers = try await server.get("\(meme)/likes?limit=100").expect(200).json.items.elements
        #expect(counts.likes.int == likers.count)
        var listed = 0
        var next: String? = "\(meme)/comments?limit=100"
        while let target = next {
          let page = try await server.get(target).expect(200)
          listed += page.json.items.elements.count
          next = page["link"].flatMap { $0.split(separator: ">").first?.dropFirst() }.map(
            String.init)
        }
        #expect(counts.comments.int == listed)
        let written = clients.reduce(0) { $0 + $1.state.written }
        let asked = clients.reduce(0) { $0 + $1.state.asked }
        #expect((written...asked).contains(listed))
        let names = Set(likers.compactMap(\.username.text))
        for (number, client) in clients.enumerated() where !client.state.isUnsure {
          #expect(names.contains("person\(number)") == client.state.likes)
        }
        // From here on each client knows its state again.
        for (number, client) in clients.enumerated() {
          client.learn(likes: names.contains("person\(number)"))
        }
      }
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}
