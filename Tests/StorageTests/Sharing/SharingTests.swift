import Bytes
import Foundation
import Memes
import SQL
import SQLite
import Services
import Storage
import Synchronization
import Testing

/// What happens to a mail and its count, however a request with a key ends.
@Suite struct SharingTests {
  /// Records the names of the mails that it gets, or fails.
  private final class Mailbox: Mailer {
    private let state = Mutex<(names: [Digest?], failure: MailError?)>(([], nil))

    var names: [Digest?] { state.withLock { $0.names } }

    func fail(_ failure: MailError?) { state.withLock { $0.failure = failure } }

    func send(_ mail: Mail) async throws(MailError) {
      if let failure = state.withLock({ $0.failure }) { throw failure }
      state.withLock { $0.names.append(mail.name) }
    }
  }

  /// A client that mails one meme to one address.
  private struct Client {
    let store: Scratch
    let mailbox = Mailbox()
    let sharer: Sharer
    let id: MemeID
    let address: EmailAddress

    init(_ store: Scratch, hasRoom: Bool) async throws {
      self.store = store
      let new = try newMeme()
      _ = try await store.memes.insert(new)
      id = new.meme.id
      address = try EmailAddress("a@b.example")
      sharer = Sharer(
        memes: store.memes, mailer: mailbox, throttle: Throttle(isOn: true),
        confirmations: EmailConfirmations(
          users: UserStore(store.database),
          mails: MailQueue(
            mailer: mailbox, throttle: SharedThrottle(Throttle(isOn: true)), notifies: false,
            report: { _ in }),
          letters: AccountLetters(serverURL: { "" }), seal: nil,
          now: { Timestamp(millisecondsSince1970: 0) }),
        context: ServiceContext(
          now: { Timestamp(millisecondsSince1970: 0) },
          digest: { bytes in
            Digest { digest in
              for (index, byte) in (bytes.utf8Text ?? "").utf8.enumerated() {
                digest[index % 31] = digest[index % 31] &* 31 &+ byte
              }
            }
          },
          hasRoom: { hasRoom },
          idempotency: Idempotency(store: store.retries) { Timestamp(millisecondsSince1970: 0) }))
    }

    /// Returns the outcome, or the name of the error.
    func mail(_ retry: IdempotentRequest<Void>?, by viewer: Principal = .admin) async -> String {
      do {
        switch try await sharer.send(id, to: address, url: "u", by: viewer, under: retry) {
        case .counted: return "counted"
        case .repeated(let first): return "repeated \(first.response.utf8Text ?? "")"
        }
      } catch {
        return String("\(error)".prefix { $0 != "(" })
      }
    }

    var count: Int {
      get async throws { try await store.memes.meme(id).counts.shares }
    }
  }

  private func withClient(
    on engines: Set<Engine> = Engine.tested, hasRoom: Bool = true,
    _ body: (Client) async throws -> Void
  ) async throws {
    try await withStore(on: engines) { try await body(try await Client($0, hasRoom: hasRoom)) }
  }

  private func retry(key: UInt8 = 1, request: UInt8 = 1) throws -> IdempotentRequest<Void> {
    IdempotentRequest(key: try retryKey(key), digest: try digest(request)) { Bytes("done") }
  }

  @Test func `a mail that was counted is not sent again`() async throws {
    try await withClient { client in
      let retry = try retry()
      #expect(await client.mail(retry) == "counted")
      #expect(await client.mail(retry) == "repeated done")
      #expect(try await client.mail(self.retry(request: 2)) == "keyReused")
      #expect(client.mailbox.names.count == 1)
      #expect(try await client.count == 1)
    }
  }

  @Test func `a mail that was sent but not counted is resent under its name and counts once`()
    async throws
  {
    try await withClient(on: [.sqlite]) { client in
      let retry = try retry()
      try await client.store.database.writer.transaction { db in
        try db.run(
          "CREATE TRIGGER full BEFORE INSERT ON retries BEGIN SELECT raise(ABORT, 'full'); END")
      }
      #expect(await client.mail(retry) == "storage")
      #expect(try await client.count == 0)
      try await client.store.database.writer.transaction { db in
        try db.run("DROP TRIGGER full")
      }
      #expect(await client.mail(retry) == "counted")
      #expect(try await client.mail(self.retry(key: 2)) == "counted")
      #expect(await client.mail(nil) == "counted")
      let names = client.mailbox.names
      #expect(names.count == 4 && names[0] != nil)
      #expect(names[0] == names[1] && names[1] != names[2] && names[3] == nil)
      #expect(try await client.count == 3)
    }
  }

  @Test func `a rejected mail is not counted and releases its key`() async throws {
    try await withClient { client in
      let retry = try retry()
      client.mailbox.fail(.overloaded)
      #expect(await client.mail(retry) == "mail")
      #expect(try await client.count == 0)
      client.mailbox.fail(nil)
      #expect(await client.mail(retry) == "counted")
      #expect(client.mailbox.names.count == 1)
    }
  }

  @Test
  func `a person's mails are limited, and repeated requests do not count`() async throws {
    try await withClient { client in
      let (ada, bob) = (Principal.person(UserID(UUID())), Principal.person(UserID(UUID())))
      let (retry, burst) = (try retry(), Limit.mail.rate.burst)
      #expect(await client.mail(retry, by: ada) == "counted")
      for _ in 1..<burst {
        #expect(await client.mail(retry, by: ada) == "repeated done")
        #expect(await client.mail(nil, by: ada) == "counted")
      }
      #expect(await client.mail(nil, by: ada) == "throttled")
      #expect(try await client.mail(self.retry(key: 2), by: ada) == "throttled")
      #expect(client.mailbox.names.count == burst)
      #expect(try await client.count == burst)
      for viewer in [bob, .admin] { #expect(await client.mail(nil, by: viewer) == "counted") }
      for _ in 0..<burst { #expect(await client.mail(nil) == "counted") }
    }
  }

  @Test func `with a full disk, requests with a key fail and others are counted`() async throws {
    try await withClient(hasRoom: false) { client in
      let retry = try retry()
      #expect(await client.mail(retry) == "storageFull")
      #expect(client.mailbox.names.isEmpty)
      #expect(await client.mail(nil) == "counted")
    }
  }
}
