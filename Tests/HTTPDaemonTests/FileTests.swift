import Bytes
import Foundation
import HTTP
import HTTPDaemon
import Testing
import Wire

/// Responses whose bytes are in a file.
@Suite struct FileTests {
  private static let fields = "Host: h\r\n"

  /// Responds with the file at this path, and with ranges of it.
  private func service(_ path: String) -> TestService {
    TestService { head in
      Admission(body: WholeBody(), bodyLimit: 0) { _ in
        guard let file = OpenedFile(path: path) else { return Response(.noContent) }
        var response = Response(
          .ok,
          headers: Headers([
            (.contentType, "application/octet-stream"), (.etag, "\"one\""),
            (.acceptRanges, "bytes"),
          ]))
        response.file = FilePart(file)
        do throws(Problem) { return try response.answering(head) } catch {
          return error.response(id: head.id, basePath: "")
        }
      }
    }
  }

  private func withFile(
    _ count: Int, isEncrypted: Bool,
    _ body: (_ bytes: [UInt8], _ path: String, _ client: () async throws -> WireClient) async throws
      -> Void
  ) async throws {
    let path = NSTemporaryDirectory() + "mememe-file-\(UUID().uuidString)"
    defer { unlink(path) }
    // Every position differs from the positions near it.
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) }
    try Data(bytes).write(to: URL(filePath: path))
    let identity = isEncrypted ? try TestIdentity.load() : nil
    try await withDaemon(service(path), configure: { $0.identity = identity }) { daemon in
      try await body(bytes, path) {
        isEncrypted
          ? try await WireClient.overTLS(port: daemon.boundPort)
          : try WireClient(port: daemon.boundPort)
      }
    }
  }

  @Test(arguments: [false, true])
  func `the whole file, a range and HEAD work on one connection`(
    isEncrypted: Bool
  ) async throws {
    try await withFile(3_000_001, isEncrypted: isEncrypted) { bytes, _, client in
      let client = try await client()
      let whole = try await client.request("GET / HTTP/1.1\r\n\(Self.fields)\r\n")
      #expect(whole.status == 200 && whole.body == bytes)
      #expect(whole["content-length"] == "3000001")
      let head = try await client.request("HEAD / HTTP/1.1\r\n\(Self.fields)\r\n")
      #expect(head["content-length"] == "3000001" && head.body.isEmpty)
      for range in [0..<1, 1_000_000..<2_500_000, 3_000_000..<3_000_001] {
        let part = try await client.request(
          "GET / HTTP/1.1\r\n\(Self.fields)Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)\r\n\r\n"
        )
        #expect(part.status == 206 && part.body == Array(bytes[range]))
        #expect(
          part["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/3000001")
      }
      let last = try await client.request(
        "GET / HTTP/1.1\r\n\(Self.fields)Range: bytes=-7\r\n\r\n")
      #expect(last.body == bytes.suffix(7))
      let beyond = try await client.request(
        "GET / HTTP/1.1\r\n\(Self.fields)Range: bytes=3000001-\r\n\r\n")
      #expect(beyond.status == 416 && beyond["content-range"] == "bytes */3000001")
      let known = try await client.request(
        "GET / HTTP/1.1\r\n\(Self.fields)If-None-Match: \"one\"\r\n\r\n")
      #expect(known.status == 304 && known.body.isEmpty)
      let again = try await client.request("GET / HTTP/1.1\r\n\(Self.fields)\r\n")
      #expect(again.body == bytes)
    }
  }

  @Test func `many clients read a file that is deleted during the requests`() async throws {
    try await withFile(5_000_000, isEncrypted: false) { bytes, path, client in
      let slow = try await client()
      await slow.send("GET / HTTP/1.1\r\n\(Self.fields)\r\n")
      // The response is larger than the socket buffers, so it waits for its client.
      try await Task.sleep(for: .milliseconds(100))
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          let client = try await client()
          group.addTask {
            try await client.request("GET / HTTP/1.1\r\n\(Self.fields)\r\n").body == bytes
          }
        }
        for try await isSame in group { #expect(isSame) }
      }
      unlink(path)
      #expect(try await slow.response().body == bytes)
      let none = try await slow.request("GET / HTTP/1.1\r\n\(Self.fields)\r\n")
      #expect(none.status == 204)
    }
  }

  @Test(arguments: [false, true])
  func `clients that disconnect do not affect others`(isEncrypted: Bool) async throws {
    try await withFile(5_000_000, isEncrypted: isEncrypted) { bytes, _, client in
      for isReset in [false, true] {
        let gone = try await client()
        await gone.send("GET / HTTP/1.1\r\n\(Self.fields)\r\n")
        _ = try await gone.head()
        gone.vanish(reset: isReset)
      }
      let client = try await client()
      let whole = try await client.request("GET / HTTP/1.1\r\n\(Self.fields)\r\n")
      #expect(whole.body == bytes)
    }
  }

  @Test func `an empty file has no ranges`() async throws {
    try await withFile(0, isEncrypted: false) { _, _, client in
      let client = try await client()
      let whole = try await client.request(
        "GET / HTTP/1.1\r\n\(Self.fields)Range: bytes=0-0\r\n\r\n")
      #expect(whole.status == 200 && whole.body.isEmpty && whole["content-length"] == "0")
    }
  }

  @Test func `only a regular file can be opened`() {
    #expect(OpenedFile(path: NSTemporaryDirectory()) == nil)
    #expect(OpenedFile(path: "/nowhere/at/all") == nil)
    #expect(OpenedFile(path: "/dev/null") == nil)
  }
}
