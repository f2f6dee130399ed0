import Foundation
import Support
import Synchronization
import Testing
import Wire

@testable import MemeMeClient

/// Resumable uploads, checked against the text of tus 1.0.0.
struct ResumableUploadTests {
  private static let id = Upload.ID()

  /// The bytes of an upload that the server has.
  private final class Kept: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  private static func empty(_ status: String, _ headers: [String]) -> ScriptedServer.Reply {
    let fields = headers + ["Tus-Resumable: 1.0.0", "Content-Length: 0"]
    return .send("HTTP/1.1 \(status)\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n")
  }

  /// The response of a server that stores what it receives and rejects violations of the protocol.
  private static func answer(
    _ request: ScriptedServer.Request, _ kept: Kept
  ) -> ScriptedServer.Reply {
    guard request.headers["tus-resumable"] == "1.0.0" else { return empty("412 No", []) }
    return kept.bytes.withLock { bytes in
      switch (request.method, request.target) {
      case ("POST", "/uploads"):
        return empty("201 Created", ["Location: /uploads/\(id)", "Upload-Offset: 0"])
      case ("GET", "/uploads/\(id)"): return empty("200 OK", ["Upload-Offset: \(bytes.count)"])
      case ("PATCH", "/uploads/\(id)"):
        guard request.headers["content-type"] == "application/offset+octet-stream" else {
          return empty("415 No", [])
        }
        guard request.headers["upload-offset"] == "\(bytes.count)" else {
          return .send(ScriptedServer.problem(409, "offset-mismatch"))
        }
        bytes += request.body
        return empty("204 No Content", ["Upload-Offset: \(bytes.count)"])
      default: return empty("404 No", [])
      }
    }
  }

  @Test func `a file is sent in pieces, and progress ends at its size`() async throws {
    let kept = Kept()
    try await withScript({ Self.answer($0, kept) }) { server in
      let file = noise(Int(ResumableUpload.pieceBytes) * 2 + 12_345)
      let steps = Mutex<[UploadProgress]>([])
      let begun = Mutex<Upload.ID?>(nil)
      let id = try await server.client().upload(
        .data(file), started: { id in begun.withLock { $0 = id } }
      ) { step in steps.withLock { $0.append(step) } }
      #expect(id == Self.id && begun.withLock { $0 } == id)
      #expect(kept.bytes.withLock { Data($0) } == file)
      #expect(server.requests.map(\.method) == ["POST", "PATCH", "PATCH", "PATCH"])
      #expect(server.requests[0].headers["upload-length"] == "\(file.count)")
      let told = steps.withLock { $0 }
      #expect(told.map(\.sentBytes) == told.map(\.sentBytes).sorted())
      #expect(
        told.last == UploadProgress(sentBytes: Int64(file.count), totalBytes: Int64(file.count)))
    }
  }

  @Test func `an interrupted upload resumes as long as there is progress`() async throws {
    let kept = Kept()
    // Pieces are interrupted more often than attempts without progress are allowed.
    let cut = 300_000
    try await withScript(
      cuts: { number in number > 0 && number % 2 == 1 && number < 13 ? cut : nil },
      { Self.answer($0, kept) }
    ) { server in
      server.whenCut { request in
        guard request.headers["upload-offset"] == "\(kept.bytes.withLock(\.count))" else { return }
        kept.bytes.withLock { $0 += request.body }
      }
      let file = noise(2_500_000)
      let client = server.client(
        retries: RetryPolicy(attempts: 2, firstPause: .milliseconds(5)))
      _ = try await client.upload(.data(file))
      #expect(kept.bytes.withLock { Data($0) } == file)
      #expect(server.requests.count { $0.method == "GET" } == 6)
    }
  }

  @Test func `an upload without progress fails`() async throws {
    try await withScript({ request in
      request.method == "POST" ? Self.answer(request, Kept()) : .close
    }) { server in
      let client = server.client(
        retries: RetryPolicy(attempts: 3, firstPause: .milliseconds(5)))
      #expect(
        await failure { _ = try await client.upload(.data(noise(1000))) } == "connection")
    }
  }

  @Test func `an upload of which the server takes nothing fails`() async throws {
    try await withScript({ request in
      request.method == "POST"
        ? Self.answer(request, Kept()) : Self.empty("204 No Content", ["Upload-Offset: 0"])
    }) { server in
      let client = server.client(
        retries: RetryPolicy(attempts: 3, firstPause: .milliseconds(5)))
      #expect(
        await failure { _ = try await client.upload(.data(noise(1000))) } == "connection")
      #expect(server.requests.count { $0.method == "PATCH" } == 3)
    }
  }

  @Test func `a restarted app resumes the same upload`() async throws {
    let kept = Kept()
    let file = noise(100_000)
    kept.bytes.withLock { $0 = Array(file.prefix(60_000)) }
    try await withScript({ Self.answer($0, kept) }) { server in
      let id = try await server.client().upload(.data(file), resuming: Self.id)
      #expect(id == Self.id)
      #expect(kept.bytes.withLock { Data($0) } == file)
      #expect(server.requests.map(\.method) == ["GET", "PATCH"])
      #expect(server.requests.last?.body.count == 40_000)
      _ = try await server.client().upload(.data(file), resuming: Self.id)
      #expect(server.requests.map(\.method) == ["GET", "PATCH", "GET"])
    }
  }

  @Test func `after an offset mismatch the client requests the offset`() async throws {
    let kept = Kept()
    let file = noise(50_000)
    try await withScript({ request in
      // Another client's piece came first.
      if request.number == 1 { kept.bytes.withLock { $0 = Array(file.prefix(20_000)) } }
      return Self.answer(request, kept)
    }) { server in
      let client = server.client(retries: RetryPolicy(attempts: 2, firstPause: .milliseconds(5)))
      _ = try await client.upload(.data(file))
      #expect(kept.bytes.withLock { Data($0) } == file)
      #expect(server.requests.map(\.method) == ["POST", "PATCH", "GET", "PATCH"])
    }
  }

  @Test func `a missing upload and an invalid location are errors`() async throws {
    try await withScript({ _ in .send(ScriptedServer.problem(404, "not-found")) }) { server in
      let file = Picture.data(noise(10))
      #expect(
        await failure { _ = try await server.client().upload(file, resuming: Self.id) }
          == "not-found")
    }
    try await withScript({ _ in Self.empty("201 Created", ["Location: /elsewhere"]) }) { server in
      #expect(
        await failure { _ = try await server.client().upload(.data(noise(10))) }
          == "unexpected 201")
    }
  }
}
