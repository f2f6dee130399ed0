import Eventually
import Foundation
import HTTP
import Memes
import SQL
import SQLite
import Storage
import Support
import Synchronization
import Testing
import Wire
import mememe

/// Receivers that fail, refuse, redirect, or are not there.
struct FailingReceiverTests {
  private static let start: Int64 = 1_800_000_000_000
  private static let created = #""events":["meme.created"]"#

  /// Waits until the connection has failed this often in a row.
  private func failed(
    _ count: Int, _ server: TestServer, _ made: JSON, token: String
  ) async throws -> JSON {
    var status = JSON.null
    try await eventually("\(count) attempts failed") {
      status = try await server.connection(made, token: token)
      return status.stateDescription.text?.contains(
        count == 1 ? "Failed once" : "Failed \(count) times in a row") == true
    }
    return status
  }

  @Test func `an event is tried again with its ID until the receiver takes it`() async throws {
    let clock = HeldClock()
    clock.set(Self.start)
    let receiver = try WebhookReceiver { _, number in
      number < 2 ? WebhookReceiver.status(500) : WebhookReceiver.ok
    }
    try await withServer(now: clock.now, { try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.make(token: ada)
      let status = try await failed(1, server, made, token: ada)
      #expect(status.state.text == "failing" && status.lag.int == 1)
      #expect(status.lastError.text == "The receiver answered with the status 500.")
      _ = try await server.make(token: ada)
      // 5 seconds and up to a fifth.
      clock.set(Self.start + 6000)
      _ = try await failed(2, server, made, token: ada)
      #expect(receiver.deliveries.count == 2)
      clock.set(Self.start + 6000 + 360_000)
      let all = try await receiver.first(4)
      #expect(all[0].id == all[1].id && all[1].id == all[2].id && all[2].id != all[3].id)
      let times = all.compactMap { $0.headers["webhook-timestamp"] }
      #expect(times == ["1800000000", "1800000006", "1800000366", "1800000366"])
      for delivery in all {
        #expect(
          try EventDeliveryTests.signatures(of: delivery, with: made.secret).count == 1)
      }
      try await eventually("the connection recovers") {
        let status = try await server.connection(made, token: ada)
        return status.state.text == "running" && status.delivered.int == 2
          && status.lastError == .null
      }
    }
  }

  @Test func `attempts that cannot be recorded are reported once`() async throws {
    let receiver = try WebhookReceiver { _, _ in WebhookReceiver.ok }
    try await withDataFolder { folder in
      var ada = ""
      try await withServer(in: folder, { try $0.sendEvents() }) { server in
        ada = try await server.signUp("ada")
        _ = try await server.connect(to: receiver, Self.created, token: ada)
      }
      try await editDatabase(
        in: folder,
        """
        CREATE TRIGGER refusing BEFORE UPDATE OF sender ON connections WHEN new.sender IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'refused'); END
        """)
      try await withServer(in: folder, { try $0.sendEvents() }) { server in
        _ = try await server.make(token: ada)
        try await eventually("the failure is reported") {
          try server.log.contains("cannot deliver events")
        }
        // The sender tries again every second.
        try await Task.sleep(for: .seconds(3))
        let reports = try server.log.split(separator: "\n").count {
          $0.contains("cannot deliver events")
        }
        #expect(reports == 1)
      }
    }
  }

  @Test func `Retry-After is obeyed`() async throws {
    let clock = HeldClock()
    clock.set(Self.start)
    let receiver = try WebhookReceiver { _, number in
      number == 0 ? WebhookReceiver.status(429, "Retry-After: 3600\r\n") : WebhookReceiver.ok
    }
    try await withServer(now: clock.now, { try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.make(token: ada)
      let status = try await failed(1, server, made, token: ada)
      #expect(status.stateDescription.text?.contains("2027-01-15T09:00:00.000Z") == true)
      clock.set(Self.start + 3_600_000)
      _ = try await receiver.first(2)
    }
  }

  @Test func `a refused event is given up after five times, and others go on`() async throws {
    let clock = HeldClock()
    clock.set(Self.start)
    let refused = Mutex<String?>(nil)
    let receiver = try WebhookReceiver { delivery, number in
      let id = delivery.json.data.memeId.text
      if number == 0 { refused.withLock { $0 = id } }
      return refused.withLock { $0 } == id ? WebhookReceiver.status(422) : WebhookReceiver.ok
    }
    try await withServer(now: clock.now, { try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(
        to: receiver, #""events":["meme.created","meme.updated"]"#, token: ada)
      let meme = try await server.make(token: ada)
      _ = try await receiver.first(1)
      // The second event of the refused meme waits for the first one. The other meme does not.
      try await server.json("PATCH", meme, #"{"top":"two"}"#, token: ada).expect(200)
      _ = try await server.make(token: ada)
      _ = try await receiver.first(2)
      var time = Self.start
      for (count, pause) in [5_000, 60_000, 300_000, 1_800_000].enumerated() {
        time += Int64(pause)
        clock.set(time)
        _ = try await receiver.first(count + 3)
      }
      // Then the second event of that meme.
      let all = try await receiver.first(7)
      #expect(
        all.map(\.type) == [
          "meme.created", "meme.created", "meme.created", "meme.created", "meme.created",
          "meme.created", "meme.updated",
        ])
      #expect(Set(([all[0]] + all[2...5]).map(\.id)).count == 1)
      try await eventually("one is given up") {
        try await server.connection(made, token: ada).failed.int == 1
      }
      var log: [JSON] = []
      try await eventually("all attempts are in the log") {
        log = try await server.get("/connections/\(made.id.text ?? "")/deliveries", token: ada)
          .expect(200).json.items.elements
        return log.count == 7
      }
      let outcomes = log.map { $0.outcome.text ?? "" }
      #expect(
        outcomes.reversed() == [
          "failed", "delivered", "failed", "failed", "failed", "givenUp", "failed",
        ])
      #expect(log.last?.status.int == 422)
      #expect(log.last?.responseHead.text == "HTTP/1.1 422 Answer\nContent-Length: 0")
    }
  }

  @Test func `a receiver that is gone stops its connection`() async throws {
    let receiver = try WebhookReceiver { _, number in
      number == 0 ? WebhookReceiver.status(410) : WebhookReceiver.ok
    }
    let mail = try MailServer()
    try await withServer({
      try $0.sendEvents()
      try $0.sendMail(through: mail)
    }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.make(token: ada)
      try await eventually("the connection stops") {
        try await server.connection(made, token: ada).state.text == "stopped"
      }
      var subject: String?
      while subject != "A connection of your account was stopped" {
        subject = try await blocking { try mail.received() }.headers["Subject"]
      }
      for action in ["pause", "resume"] {
        try await server.act(action, on: made, token: ada).expect(
          409, problem: "connection-stopped")
      }
      // While it is stopped, nothing is recorded.
      _ = try await server.make(token: ada)
      let status = try await server.act("restart", on: made, token: ada).expect(200).json
      #expect(status.lag.int == 1)
      _ = try await receiver.first(2)
      try await eventually("the first event is delivered") {
        try await server.connection(made, token: ada).delivered.int == 1
      }
    }
  }

  @Test(arguments: [500, 422])
  func `too many waiting events stop a connection, whatever its receiver answers`(
    status: Int
  ) async throws {
    let receiver = try WebhookReceiver { _, _ in WebhookReceiver.status(status) }
    try await withDataFolder { folder in
      var (token, made) = ("", JSON.null)
      try await withServer(in: folder, { try $0.sendEvents() }) { server in
        token = try await server.signUp("ada")
        made = try await server.connect(to: receiver, Self.created, token: token)
        _ = try await server.make(token: token)
        _ = try await receiver.first(1)
        #expect(try await server.connection(made, token: token).state.text != "stopped")
      }
      try ClosedDatabase.edit("\(folder.path)/mememe.db") { db in
        for _ in 1...14 {
          try db.run(
            """
            INSERT INTO events (id, connection, mapping, kind, subject, happened_at)
            SELECT randomblob(16), connection, mapping, kind, randomblob(16), happened_at FROM events
            """)
        }
        try db.run("UPDATE connections SET next_attempt_at = 0")
      }
      try await withServer(in: folder, { try $0.sendEvents() }) { server in
        try await eventually("the connection stops") {
          try await server.connection(made, token: token).state.text == "stopped"
        }
        let error = try await server.connection(made, token: token).lastError.text
        #expect(error?.hasPrefix("10,000 events are waiting") == true)
      }
    }
  }

  @Test func `too many waiting events stop a paused connection, and its owner gets a mail`()
    async throws
  {
    let (receiver, mail) = (try WebhookReceiver(), try MailServer())
    try await withDataFolder { folder in
      var (token, made) = ("", JSON.null)
      try await withServer(in: folder, { try $0.sendEvents() }) { server in
        token = try await server.signUp("ada")
        made = try await server.connect(to: receiver, Self.created, token: token)
        try await server.act("pause", on: made, token: token).expect(200)
        _ = try await server.make(token: token)
        #expect(try await server.connection(made, token: token).state.text == "paused")
      }
      try ClosedDatabase.edit("\(folder.path)/mememe.db") { db in
        for _ in 1...14 {
          try db.run(
            """
            INSERT INTO events (id, connection, mapping, kind, subject, happened_at)
            SELECT randomblob(16), connection, mapping, kind, randomblob(16), happened_at FROM events
            """)
        }
      }
      try await withServer(
        in: folder,
        {
          try $0.sendEvents()
          try $0.sendMail(through: mail)
        }
      ) { server in
        try await eventually("the connection stops") {
          try await server.connection(made, token: token).state.text == "stopped"
        }
        let error = try await server.connection(made, token: token).lastError.text
        #expect(error?.hasPrefix("10,000 events are waiting") == true)
        #expect(receiver.deliveries.isEmpty)
        let received = try await blocking { try mail.received() }
        #expect(received.headers["Subject"] == "A connection of your account was stopped")
        let text = String(decoding: try #require(received.parts.first).bytes, as: UTF8.self)
        #expect(text.contains("10,000"), "\(text)")
      }
    }
  }

  @Test func `redirects are failures`() async throws {
    let inside = try WebhookReceiver()
    let receiver = try WebhookReceiver { _, _ in
      WebhookReceiver.status(307, "Location: \(inside.url)\r\n")
    }
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.make(token: ada)
      let status = try await failed(1, server, made, token: ada)
      #expect(status.lastError.text == "The receiver answered with the status 307.")
      #expect(inside.deliveries.isEmpty)
    }
  }

  @Test func `a receiver that does not answer is given up after 15 seconds`() async throws {
    let receiver = try WebhookReceiver { _, _ in .silence }
    let other = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.connect(to: other, Self.created, token: ada)
      _ = try await server.make(token: ada)
      // Another connection does not wait for it.
      _ = try await other.first(1)
      #expect(receiver.count <= 1)
      let status = try await failed(1, server, made, token: ada)
      #expect(status.lastError.text == "Timeout was reached")
    }
  }

  @Test func `a long response is cut, and its status counts`() async throws {
    let receiver = try WebhookReceiver { _, _ in
      .sendOften(
        "HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n", String(repeating: "x", count: 65536),
        times: 160)
    }
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.make(token: ada)
      try await eventually("the event is delivered") {
        try await server.connection(made, token: ada).delivered.int == 1
      }
    }
  }

  @Test(arguments: [
    "127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]",
  ])
  func `private addresses are refused at once`(_ host: String) async throws {
    try await withServer({ $0.connections = .members }) { server in
      let answer = try await server.json(
        "POST", "/connections", #"{"name":"x","url":"http://\#(host):9/"}"#,
        token: try await server.signUp("ada"))
      answer.expect(422)
      #expect(answer.json.errors[0].code.text == "destination-refused")
    }
  }

  // Each of these reaches this machine.
  @Test(arguments: ["localhost", "2130706433", "0x7f.1"])
  func `names of private addresses are refused when they are resolved`(
    _ host: String
  ) async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ $0.connections = .members }) { server in
      let ada = try await server.signUp("ada")
      let port = receiver.url.split(separator: ":").last ?? ""
      let made = try await server.json(
        "POST", "/connections", #"{"name":"x","url":"http://\#(host):\#(port)"}"#, token: ada
      ).expect(201).json
      try await server.json(
        "POST", "/connections/\(made.id.text ?? "")/mappings", "{\(Self.created)}", token: ada
      ).expect(201)
      _ = try await server.make(token: ada)
      let status = try await failed(1, server, made, token: ada)
      #expect(status.lastError.text == "The server sends nothing to the address of this host.")
      #expect(receiver.deliveries.isEmpty)
    }
  }

  @Test func `after three days of failures the owner gets a mail, and nothing is lost`()
    async throws
  {
    let (mail, clock) = (try MailServer(), HeldClock())
    clock.set(Self.start)
    let isDown = Mutex(true)
    let receiver = try WebhookReceiver { _, _ in
      isDown.withLock { $0 } ? .close : WebhookReceiver.ok
    }
    try await withServer(
      now: clock.now,
      {
        try $0.sendEvents()
        try $0.sendMail(through: mail)
      }
    ) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.make(token: ada)
      var time = Self.start
      let hours: [Double] = [5.0 / 3600, 1.0 / 12, 0.5, 2, 5, 10, 14, 20, 24]
      for (count, pause) in hours.enumerated() {
        _ = try await failed(count + 1, server, made, token: ada)
        time += Int64(pause * 3_600_000 * 1.2) + 1
        clock.set(time)
      }
      _ = try await failed(10, server, made, token: ada)
      var subject: String?
      while subject != "A connection of your account fails" {
        subject = try await blocking { try mail.received() }.headers["Subject"]
      }
      isDown.withLock { $0 = false }
      let before = receiver.deliveries.count
      clock.set(time + 86_400_000 * 12 / 10 + 1)
      try await eventually("the event arrives") { receiver.deliveries.count > before }
      try await eventually("it is delivered") {
        try await server.connection(made, token: ada).delivered.int == 1
      }
    }
  }

  @Test func `a paused connection keeps its events`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      #expect(
        try await server.act("pause", on: made, token: ada).expect(200).json.state.text == "paused")
      _ = try await server.make(token: ada)
      let other = try WebhookReceiver()
      _ = try await server.connect(to: other, Self.created, token: ada)
      _ = try await server.make(token: ada)
      _ = try await other.first(1)
      #expect(receiver.deliveries.isEmpty)
      #expect(try await server.connection(made, token: ada).lag.int == 2)
      try await server.act("resume", on: made, token: ada).expect(200)
      _ = try await receiver.first(2)
    }
  }

  @Test func `an event can be delivered again`() async throws {
    let receiver = try WebhookReceiver()
    try await withServer({ try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      _ = try await server.make(token: ada)
      let path = "/connections/\(made.id.text ?? "")/deliveries"
      try await eventually("the delivery is in the log") {
        try await server.get(path, token: ada).expect(200).json.items.elements.count == 1
      }
      let delivery = try await server.get(path, token: ada).json.items[0]
      #expect(delivery.outcome.text == "delivered" && delivery.status.int == 204)
      let retry = "/deliveries/\(delivery.id.text ?? "")/actions/retry"
      let bearer = [("Authorization", "Bearer \(ada)")]
      try await server.send("POST", retry, headers: bearer).expect(202)
      let all = try await receiver.first(2)
      #expect(all[0].id == all[1].id)
      let bob = try await server.signUp("bob")
      try await server.send("POST", retry, headers: [("Authorization", "Bearer \(bob)")])
        .expect(404)
      try await server.delete(
        "/mappings/\(delivery.mapping.text ?? "")", token: ada
      ).expect(204)
      try await server.send("POST", retry, headers: bearer).expect(404)
    }
  }

  @Test func `after a change of the secret, both sign for a day`() async throws {
    let clock = HeldClock()
    clock.set(Self.start)
    let receiver = try WebhookReceiver()
    try await withServer(now: clock.now, { try $0.sendEvents() }) { server in
      let ada = try await server.signUp("ada")
      let made = try await server.connect(to: receiver, Self.created, token: ada)
      let changed = try await server.json(
        "PUT", "/connections/\(made.id.text ?? "")/secret",
        #"{"secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}"#, token: ada
      ).expect(200).json
      #expect(changed.secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
      _ = try await server.make(token: ada)
      let both = try await receiver.first(1)[0]
      for secret in [made.secret, changed.secret] {
        #expect(try EventDeliveryTests.signatures(of: both, with: secret).count == 1)
      }
      clock.set(Self.start + 86_400_000)
      _ = try await server.make(token: ada)
      let one = try await receiver.first(2)[1]
      #expect(one.headers["webhook-signature"]?.contains(" ") == false)
      #expect(try EventDeliveryTests.signatures(of: one, with: changed.secret).count == 1)
    }
  }
}
