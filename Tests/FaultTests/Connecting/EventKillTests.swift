import Eventually
import Foundation
import Support
import Synchronization
import Testing
import Wire

/// Kills a server while it records and delivers events. Receivers get every event of an acknowledged change, and twice
/// only what was on its way.
struct EventKillTests {
  /// `EVENT_KILLS` sets the number.
  private static let rounds =
    ProcessInfo.processInfo.environment["EVENT_KILLS"].flatMap { Int($0) } ?? 8
  /// Few enough that the deliveries keep up.
  private static let commentsOfRound = 30
  /// Eight that are being recorded, eight that wait, one in progress, and one that the receiver did not answer.
  private static let repetitionsPerKill = 18

  @Test func `no event is skipped when the server is killed`() async throws {
    let receiver = try WebhookReceiver { _, _ in
      // A receiver that ends before it answers.
      Int.random(in: 0..<200) == 0 ? .close : WebhookReceiver.ok
    }
    try await withDataFolder { folder in
      let settings = ["MEMEME_CONNECTIONS_ALLOW": "127.0.0.1"]
      var server = try await ServerProcess(data: folder, settings: settings)
      let scene = try await Scene(server, folder, receiver)
      let acknowledged = Acknowledged()
      for _ in 0..<Self.rounds {
        let running = server
        let clients = Task {
          for _ in 0..<Self.commentsOfRound where !Task.isCancelled {
            // A killed server answers nothing.
            guard let answer = try? await scene.comment(on: running), answer.status == 201,
              let id = answer.json.id.text
            else { return }
            acknowledged.ids.withLock { $0.append(id) }
          }
        }
        try await Task.sleep(for: .milliseconds(Int.random(in: 20...400)))
        #expect(try await server.end(by: SIGKILL) == SIGKILL)
        clients.cancel()
        await clients.value
        server = try await ServerProcess(data: folder, settings: settings)
        // The pause after a failed attempt is none of this test.
        try await scene.restart(server)
      }
      while try await scene.lag(server) != 0 {
        let count = receiver.count
        try await scene.restart(server)
        try await eventually("deliveries go on") {
          if try await scene.lag(server) == 0 { return true }
          return receiver.count > count
        }
      }
      #expect(try await server.end(by: SIGTERM) == 0)

      let received = receiver.deliveries.compactMap(\.json.data.comment.id.text)
      let sent = acknowledged.ids.withLock { $0 }
      #expect(!sent.isEmpty && Set(sent).isSubset(of: received), "skipped events")
      #expect(received.count - Set(received).count <= Self.rounds * Self.repetitionsPerKill)
      // The first deliveries are in the order of the changes.
      var seen: Set<String> = []
      let first = received.filter { seen.insert($0).inserted }
      #expect(first.filter(Set(sent).contains) == sent)
      let events = Dictionary(grouping: receiver.deliveries, by: \.id)
      #expect(events.values.allSatisfy { Set($0.map { $0.json.data.comment.id.text }).count == 1 })
      print(
        "events: \(sent.count) acknowledged, \(received.count - seen.count) repeated, \(Self.rounds) kills"
      )
    }
  }

  /// The IDs of comments in the order of their responses.
  private final class Acknowledged: Sendable {
    let ids = Mutex<[String]>([])
  }

  /// An admin's connection to the receiver, and a meme to comment on.
  private struct Scene: Sendable {
    private let token: String
    private let meme: String
    private let connection: String

    init(_ server: ServerProcess, _ folder: URL, _ receiver: WebhookReceiver) async throws {
      let password = "a cat on a keyboard"
      try await server.json(
        "POST", "/users",
        #"{"username":"ada","email":"ada@example.org","password":"\#(password)"}"#
      ).expect(201)
      #expect(
        try await ServerProcess.run(["user", "role", "ada", "admin", "--data", folder.path]).code
          == 0)
      token = try #require(
        try await server.json(
          "POST", "/sessions", #"{"username":"ada","password":"\#(password)"}"#
        ).expect(201).json.token.text)
      meme = try #require(
        try await server.post(
          FormBody([.file("image", try Fixture.moving.bytes), .field("top", "x")])
        ).expect(201)["location"])
      let made = try await server.json(
        "POST", "/connections", #"{"name":"x","url":"\#(receiver.url)","scope":"all"}"#,
        token: token
      ).expect(201).json
      connection = "/connections/\(made.id.text ?? "")"
      try await server.json(
        "POST", "\(connection)/mappings", #"{"events":["comment.created"],"fields":[]}"#,
        token: token
      ).expect(201)
    }

    func comment(on server: ServerProcess) async throws -> Answer {
      try await server.json("POST", "\(meme)/comments", #"{"text":"x"}"#, token: token)
    }

    func restart(_ server: ServerProcess) async throws {
      try await server.json("POST", "\(connection)/actions/restart", nil, token: token).expect(200)
    }

    func lag(_ server: ServerProcess) async throws -> Int? {
      try await server.get(connection, token: token).expect(200).json.lag.int
    }
  }
}
