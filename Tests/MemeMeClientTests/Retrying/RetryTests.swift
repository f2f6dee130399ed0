import Eventually
import Foundation
import Support
import Synchronization
import Testing
import Wire

@testable import MemeMeClient

struct RetryTests {
  private static let quick = RetryPolicy(attempts: 4, firstPause: .milliseconds(5)) { 0.5 }

  private static let meme = ScriptedServer.problem(404, "not-found")

  @Test func `pauses double up to a maximum, and jitter shortens them by up to half`() {
    var policy = RetryPolicy(
      attempts: 100, firstPause: .seconds(1), longestPause: .seconds(5), jitter: { 0 })
    let lost = MemeMeError.connection(.networkConnectionLost)
    #expect(
      (1...5).map { policy.pause(after: $0, lost) }
        == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
    #expect(policy.pause(after: 99, lost) == .seconds(5))
    #expect(policy.pause(after: 100, lost) == nil)
    policy.jitter = { 1 }
    #expect(policy.pause(after: 1, lost) == .milliseconds(500))
    #expect(RetryPolicy.never.pause(after: 1, lost) == nil)
    #expect(policy.pause(after: 1, .connection(.badURL)) == nil)
    #expect(policy.pause(after: 1, .answerTooLarge) == nil)
  }

  @Test func `Retry-After is honored unless it is too long`() {
    let policy = RetryPolicy(
      attempts: 3, firstPause: .seconds(1), longestPause: .seconds(10), jitter: { 0 })
    func busy(_ seconds: Int?) -> MemeMeError {
      .unexpectedAnswer(status: 503, requestID: nil, retryAfter: seconds.map { .seconds($0) })
    }
    #expect(policy.pause(after: 1, busy(nil)) == .seconds(1))
    #expect(policy.pause(after: 1, busy(4)) == .seconds(5))
    #expect(policy.pause(after: 1, busy(11)) == nil)
  }

  @Test func `a read is retried until it gets a response`() async throws {
    try await withScript({ request in
      switch request.number {
      case 0: .close
      case 1: .send(ScriptedServer.problem(503, "overloaded", headers: ["Retry-After: 0"]))
      case 2: .send(ScriptedServer.answer("502 Bad Gateway", "<p>", type: "text/html"))
      default: .send(ScriptedServer.healthy)
      }
    }) { server in
      try await server.client(retries: Self.quick).checkHealth()
      #expect(server.requests.count == 4)
    }
  }

  @Test func `retries are limited, and rejections are not retried`() async throws {
    try await withScript({ _ in .close }) { server in
      #expect(
        await failure { try await server.client(retries: Self.quick).checkHealth() } == "connection"
      )
      #expect(server.requests.count == 4)
    }
    try await withScript({ _ in .send(Self.meme) }) { server in
      #expect(
        await failure { _ = try await server.client(retries: Self.quick).meme(Meme.ID()) }
          == "not-found")
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a write is sent once, unless it has a key`() async throws {
    try await withScript({ _ in .close }) { server in
      let client = server.client(retries: Self.quick)
      let id = Meme.ID()
      #expect(await failure { _ = try await client.edit(id, MemeEdit(top: "x")) } == "connection")
      #expect(await failure { _ = try await client.restore(id) } == "connection")
      #expect(await failure { try await client.changePassword(from: "a", to: "b") } == "connection")
      #expect(server.requests.count == 3)
      let key = IdempotencyKey("a-key")
      #expect(await failure { _ = try await client.comment(on: id, "x", key: key) } == "connection")
      let tries = server.requests.dropFirst(3)
      #expect(tries.count == 4)
      #expect(tries.allSatisfy { $0.headers["idempotency-key"] == "a-key" })
      #expect(Set(tries.map { String(decoding: $0.body, as: UTF8.self) }) == [#"{"text":"x"}"#])
    }
  }

  @Test func `a write is sent once even on a kept connection that ends`() async throws {
    try await withScript({ request in
      request.method == "GET" && request.number < 3 ? .send(ScriptedServer.healthy) : .close
    }) { server in
      let client = server.client()
      for _ in 0..<3 { try await client.checkHealth() }
      #expect(
        await failure { _ = try await client.edit(Meme.ID(), MemeEdit(top: "x")) } == "connection")
      #expect(await failure { try await client.delete(Meme.ID()) } == "connection")
      #expect(server.requests.count == 5)
    }
  }

  @Test func `a call that waits for its retry can be canceled`() async throws {
    try await withScript({ _ in .close }) { server in
      let client = server.client(
        retries: RetryPolicy(attempts: 9, firstPause: .seconds(3600), longestPause: .seconds(3600)))
      let waiting = Task { try await client.checkHealth() }
      try await eventually("the first request has come") { !server.requests.isEmpty }
      waiting.cancel()
      #expect(await failure { try await waiting.value } == "cancelled")
      #expect(server.requests.count == 1)
    }
  }

  @Test func `retries with a key send the same picture even if its file changes`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data("first".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await withScript({ request in
      try? Data("second".utf8).write(to: file)
      return request.number < 2 ? .close : .send(Self.meme)
    }) { server in
      let draft = MemeDraft(.image(.file(file)))
      _ = await failure { _ = try await server.client(retries: Self.quick).publish(draft) }
      #expect(server.requests.count == 3)
      #expect(Set(server.requests.map(\.body)).count == 1)
      #expect(Set(server.requests.map { $0.headers["idempotency-key"] }).count == 1)
    }
  }

  @Test func `a response of a middlebox is an error`() async throws {
    try await withScript({ _ in
      .send(ScriptedServer.answer("200 OK", "<p>Sign in", type: "text/html"))
    }) {
      server in
      let client = server.client(retries: Self.quick)
      #expect(await failure { try await client.delete(Meme.ID()) } == "unexpected 200")
      #expect(await failure { _ = try await client.meme(Meme.ID()) } == "unexpected 200")
      #expect(await failure { _ = try await client.image(Meme.ID()) } == "unexpected 200")
      #expect(await failure { try await client.checkHealth() } == "unexpected 200")
    }
  }
}
