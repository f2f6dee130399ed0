import Eventually
import Foundation
import Support
import Testing
import Wire

/// Servers whose PostgreSQL is down, slow, out of reach or full: docs/guides/several-servers.md, "What happens if".
@Suite(.serialized)
struct DatabaseOutageTests {
  /// Longer than a server answers from memory without a look at the database.
  private static let tooOld = Duration.milliseconds(1100)

  @Test
  func `without PostgreSQL nothing is drawn and nothing old is shown, and it returns by itself`()
    async throws
  {
    try await DatabaseStand.with(try PostgreSQLServer(isDurable: true)) { stand in
      // With a limit, an upload reads the database before it draws.
      let server = try await stand.server("a", ["MEMEME_ANONYMOUS_BYTES": "0"])
      let made = try await server.post(try DatabaseStand.form("here")).expect(201)
      let (url, token) = (try #require(made["location"]), try #require(made.json.deleteToken.text))
      try await server.get(url).expect(200)
      let drawn = try await server.metric("mememe_render_duration_seconds_count")

      try await blocking { try stand.database.kill() }
      try await Task.sleep(for: Self.tooOld)
      for target in [url, "/memes?limit=1"] { try await server.get(target).expectBusy() }
      try await server.post(try DatabaseStand.form("lost")).expectBusy()
      try await server.post(try DatabaseStand.form("lost"), key: "a-key").expectBusy()
      try await server.patch(url, #"{"top":"lost"}"#, token: token).expectBusy()
      try await server.delete(url, token: token).expectBusy()
      #expect(try await server.metric("mememe_render_duration_seconds_count") == drawn)
      try await server.readiness(becoming: 503).expect(503, problem: "not-ready")
      try await server.get("/healthz").expect(200)
      try await server.get("/").expect(200)

      try await blocking { try stand.database.start() }
      _ = try await server.readiness(becoming: 200)
      #expect(try await server.get(url).expect(200).json.top.text == "here")
      try await eventually("the server takes uploads again") {
        try await server.post(try DatabaseStand.form("found")).status == 201
      }
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  @Test func `while PostgreSQL is slow, a bounded number of requests waits, and the rest get 503`()
    async throws
  {
    try await DatabaseStand.with(try PostgreSQLServer()) { stand in
      let server = try await stand.server("a", ["MEMEME_DATABASE_CONNECTIONS": "4"])
      let made = try await server.post(try DatabaseStand.form("here")).expect(201)
      let url = try #require(made["location"])
      // What another program locks is slow.
      async let locked = blocking {
        try? stand.database.run(
          "BEGIN; LOCK TABLE memes IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(60); COMMIT",
          in: stand.name)
      }
      try await eventually("the table is locked") {
        try await blocking {
          try stand.database.run(
            "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = 'memes'::regclass",
            in: stand.name) == "1\n"
        }
      }
      // 64 may wait, and at most 4 run.
      let rest = 100 - 64 - 4
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<100 {
          group.addTask {
            // An admin's answers are never in memory.
            let answer = try await server.get(url, token: ServerGroup.adminToken)
            if answer.status != 200 { answer.expectBusy() }
            return answer.status
          }
        }
        var statuses: [Int: Int] = [:]
        for try await status in group {
          statuses[status, default: 0] += 1
          guard status == 503 else { continue }
          if statuses[503] == 1 {
            #expect(try await server.metric("mememe_postgresql_transactions_waiting") <= 64)
          }
          // The other program ends.
          if statuses[503] == rest {
            _ = try await blocking {
              try stand.database.run(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted AND relation = 'memes'::regclass",
                in: stand.name)
            }
          }
        }
        return statuses
      }
      #expect((statuses[503] ?? 0) >= rest, "\(statuses)")
      _ = try await locked
      try await server.get(url).expect(200)
      #expect(try await server.metric("mememe_postgresql_transactions_waiting") == 0)
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }

  /// A network that swallows everything, and one that refuses connections.
  @Test(arguments: [SIGSTOP, SIGKILL])
  func `a server that does not reach PostgreSQL shows nothing old, while others go on`(
    signal: Int32
  ) async throws {
    try await DatabaseStand.with(try PostgreSQLServer()) { stand in
      let here = stand.folder.appending(path: PostgreSQLServer.socketName).path
      let network = try SocketForwarder(from: here, to: stand.database.socket)
      let a = try await stand.server("a")
      let b = try await stand.server(
        "b", ["MEMEME_DATABASE": stand.database.address(of: stand.name, in: stand.folder.path)])
      let made = try await a.post(try DatabaseStand.form("here")).expect(201)
      let (url, token) = (try #require(made["location"]), try #require(made.json.deleteToken.text))
      for server in [a, b] { try await server.get(url).expect(200) }

      network.send(signal: signal)
      try await a.patch(url, #"{"top":"there"}"#, token: token).expect(200)
      try await Task.sleep(for: Self.tooOld)
      #expect(try await a.get(url).expect(200).json.top.text == "there")
      try await a.readiness(becoming: 200).expect(200)
      try await b.get(url).expectBusy()
      try await b.post(try DatabaseStand.form("lost")).expectBusy()
      try await b.readiness(becoming: 503).expect(503, problem: "not-ready")
      #expect(try await b.metric("mememe_postgresql_changes_current") == 0)

      let restored =
        signal == SIGKILL ? try SocketForwarder(from: here, to: stand.database.socket) : network
      restored.send(signal: SIGCONT)
      _ = try await b.readiness(becoming: 200)
      try await eventually("the server shows the edit again") {
        let answer = try await b.get(url)
        #expect(answer.status == 503 || answer.json.top.text == "there")
        return answer.status == 200
      }
      // It draws nothing before it has read the changes again.
      try await eventually("the server takes uploads again") {
        try await b.post(try DatabaseStand.form("found")).status == 201
      }
      // A server also stops if PostgreSQL does not answer.
      restored.send(signal: signal)
      try await Task.sleep(for: Self.tooOld)
      for server in [a, b] { #expect(try await server.end(by: SIGTERM) == 0, "\(server.log)") }
      withExtendedLifetime(network) {}
    }
  }

  #if os(Linux)
    @Test func `a server whose clock is wrong warns, or does not start`() async throws {
      try await DatabaseStand.with(try PostgreSQLServer()) { stand in
        let machine = try FaultyMachine(in: stand.folder.appending(path: "machine"))
        let settings = machine.environment(data: stand.folder.appending(path: "a"))
        machine.setClock(aheadSeconds: 20)
        let server = try await stand.server("a", settings)
        #expect(server.log.contains("the clocks of this machine and of the database differ"))
        #expect(try await server.end(by: SIGTERM) == 0)
        machine.setClock(aheadSeconds: -90)
        let (code, output) = try await ServerProcess.run(
          ["serve", "--port", "0", "--data", stand.folder.appending(path: "a").path],
          environment: stand.settings.merging(settings) { $1 })
        // Not 2, after which systemd would not start it again when the clock is right.
        #expect(code == 1 && output.contains("of the database differ by"), "\(output)")
      }
    }

    // PostgreSQL needs an account of its own, which a user namespace does not have.
    @Test(.enabled(if: geteuid() == 0), arguments: MountNamespace.launchers)
    func `on a full disk of PostgreSQL uploads get 507, reads go on, and new space is used at once`(
      launcher: [String]
    ) async throws {
      try await DatabaseStand.with(try PostgreSQLServer(smallDisk: 12, through: launcher)) {
        stand in
        let server = try await stand.server()
        let made = try await server.post(try DatabaseStand.form("here")).expect(201)
        let url = try #require(made["location"])
        for statement in [
          "CREATE TABLESPACE small LOCATION '\(stand.database.smallDisk)'",
          "ALTER TABLE blobs SET TABLESPACE small",
        ] { _ = try stand.database.run(statement, in: stand.name) }

        var count = 0
        var answer = made
        while answer.status == 201, count < 12 {
          count += 1
          answer = try await server.post(try DatabaseStand.form("more", bytes: 2_000_000))
        }
        answer.expect(507, problem: "storage-full")
        let other = try await stand.server("b")
        for one in [server, other] {
          try await one.post(try DatabaseStand.form("more", bytes: 2_000_000))
            .expect(507, problem: "storage-full")
          try await one.get(url).expect(200)
        }
        try await server.delete(url, token: try #require(made.json.deleteToken.text)).expect(204)
        _ = try stand.database.run("ALTER TABLE blobs SET TABLESPACE pg_default", in: stand.name)
        try await server.post(try DatabaseStand.form("more", bytes: 2_000_000)).expect(201)
        for one in [server, other] { #expect(try await one.end(by: SIGTERM) == 0) }
      }
    }
  #endif
}
