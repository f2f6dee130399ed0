import Bytes
import HTTP
import HTTPDaemon
import Testing
import Wire

/// Responses whose bytes were not read, because the client gets only their number.
struct RemoteBytesTests {
  private struct Unread: RemoteBytes {
    let count = 3_000_001

    func bytes(in range: Range<Int>) async throws -> Bytes {
      Issue.record("The bytes were read.")
      return Bytes()
    }
  }

  private func service() -> TestService {
    TestService { head in
      Admission(body: WholeBody(), bodyLimit: 0) { _ in
        var response = Response(
          .ok,
          headers: Headers([
            (.contentType, "image/png"), (.etag, "\"one\""), (.acceptRanges, "bytes"),
          ]))
        response.remote = RemotePart(Unread())
        do throws(Problem) { return try response.answering(head) } catch {
          return error.response(id: head.id, basePath: "")
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `HEAD and 304 have the length, and the connection goes on`(
    isEncrypted: Bool
  ) async throws {
    let identity = isEncrypted ? try TestIdentity.load() : nil
    let service = service()
    try await withDaemon(service, configure: { $0.identity = identity }) { daemon in
      let client =
        isEncrypted
        ? try await WireClient.overTLS(port: daemon.boundPort)
        : try WireClient(port: daemon.boundPort)
      for _ in 0..<3 {
        let head = try await client.request("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(head.status == 200 && head["content-length"] == "3000001" && head.body.isEmpty)
        #expect(head["content-type"] == "image/png" && head["transfer-encoding"] == nil)
        for method in ["GET", "HEAD"] {
          let known = try await client.request(
            "\(method) / HTTP/1.1\r\nHost: h\r\nIf-None-Match: \"one\"\r\n\r\n")
          #expect(known.status == 304 && known["content-length"] == "3000001")
          #expect(known.body.isEmpty && known["etag"] == "\"one\"")
        }
      }
      let records = try await service.records(9)
      #expect(records.allSatisfy { $0.outcome == .answered && $0.bodyBytes == 0 })
    }
  }

  @Test func `an HTTP 1.0 client gets the length of HEAD too`() async throws {
    try await withDaemon(service()) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let head = try await client.request("HEAD / HTTP/1.0\r\nHost: h\r\n\r\n")
      #expect(head.status == 200 && head["content-length"] == "3000001" && head.body.isEmpty)
    }
  }
}
