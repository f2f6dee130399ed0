import Bytes
import Foundation
import HTTP
import HTTPDaemon
import Testing
import Wire

@Suite struct BodyTests {
  /// Responds with the number of bytes of each form part, or of the body.
  private func service(limit: Int = 4 << 20) -> TestService {
    TestService { head in
      let body: any BodyReader
      do throws(Problem) {
        body =
          head.headers[.contentType] == nil
          ? WholeBody()
          : try FormReader(
            contentType: head.headers[.contentType],
            rule: FormRule(
              fields: [
                "image": .file(maximumBytes: 4 << 20), "top": .text(maximumBytes: 100),
              ], spool: SpoolPlace(directory: NSTemporaryDirectory(), memoryBytes: 1 << 20)))
      } catch {
        return Admission(refusing: error.response(id: head.id))
      }
      return Admission(body: body, bodyLimit: limit) { request in
        switch request.body {
        case .none, .made: .text("none")
        case .bytes(let bytes): .text("\(bytes.count)")
        case .form(let form):
          .text(
            form.parts.map { part in
              switch part.content {
              case .bytes(let bytes): "\(part.name)=\(bytes.count):\(sum(bytes))"
              case .tooLarge: "\(part.name) too large"
              case .repeated: "\(part.name) repeated"
              case .unknown: "\(part.name) unknown"
              }
            }.joined(separator: " "))
        }
      }
    }
  }

  private func form(image: [UInt8], top: String) -> [UInt8] {
    Array("--b0\r\nContent-Disposition: form-data; name=\"image\"; filename=\"c.jpg\"\r\n\r\n".utf8)
      + image
      + Array(
        "\r\n--b0\r\nContent-Disposition: form-data; name=top\r\n\r\n\(top)\r\n--b0--\r\n".utf8)
  }

  private func head(_ more: String...) -> String {
    "POST /memes HTTP/1.1\r\nHost: h\r\n" + more.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  @Test func `a form with a picture of 3 MB is read`() async throws {
    let service = service()
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let image = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
      let body = form(image: image, top: "one")
      for _ in 0..<2 {
        await client.send(
          head("Content-Type: multipart/form-data; boundary=b0", "Content-Length: \(body.count)"))
        await client.send(body)
        let sums = "image=3000000:\(sum(Bytes(image))) top=3:\(sum(Bytes("one")))"
        #expect(try await client.response().text == sums)
      }
      #expect(
        try await service.records(2).allSatisfy { $0.status == .ok && $0.outcome == .answered })
    }
  }

  @Test func `a chunked body is read`() async throws {
    try await withDaemon(service()) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let body = form(image: Array(repeating: 13, count: 50_000), top: "two")
      await client.send(
        head("Content-Type: multipart/form-data; boundary=b0", "Transfer-Encoding: chunked"))
      for start in stride(from: 0, to: body.count, by: 1999) {
        let chunk = body[start..<min(start + 1999, body.count)]
        await client.send(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10])
      }
      await client.send("0\r\n\r\n")
      #expect(try await client.response().text.hasPrefix("image=50000:"))
      #expect(try await client.request(head("Content-Length: 0")).text == "0")
    }
  }

  @Test func `a client that expects 100 gets it, or a rejection before it sends`() async throws {
    try await withDaemon(service(limit: 1000)) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let go = try await client.request(head("Expect: 100-continue", "Content-Length: 4"))
      #expect(go.status == 100)
      #expect(try await client.request("four").text == "4")

      let refused = try await client.request(
        head("Expect: 100-continue", "Content-Length: 1001"))
      #expect(refused.status == 413 && refused.isClosing)
      #expect(refused.text.contains("\"content-too-large\""))
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `a body over the limit is rejected early and ends the connection`() async throws {
    let service = service(limit: 1 << 20)
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(head("Content-Length: 2000000"))
      let response = try await client.response()
      #expect(response.status == 413 && response.isClosing)
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = TimeZone(secondsFromGMT: 0)
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      let date = try #require(response["date"].flatMap { format.date(from: $0) })
      #expect(abs(date.timeIntervalSinceNow) < 60)
      #expect(await client.isClosedByServer())
      let record = try #require(try await service.records(1).first)
      #expect(record.status?.code == 413 && record.outcome == .answered)
    }
  }

  @Test func `a client that keeps sending after a rejection still reads it`() async throws {
    try await withDaemon(service(limit: 1 << 20)) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(head("Content-Length: 2000000"))
      #expect(await client.send([UInt8](repeating: 0, count: 200_000)))
      #expect(try await client.response().status == 413)
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `the server does not wait long for a rejected body`() async throws {
    let service = service()
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(head("Content-Type: text/plain", "Content-Length: 100000"))
      let response = try await client.response()
      #expect(response.status == 415)
      #expect(await client.isClosedByServer())
      #expect(try await service.records(1).first?.outcome == .answered)
    }
  }

  @Test func `a chunked body over the limit is rejected after it arrives`() async throws {
    try await withDaemon(service(limit: 1000)) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(head("Transfer-Encoding: chunked"))
      for _ in 0..<20 { await client.send("64\r\n" + String(repeating: "x", count: 100) + "\r\n") }
      await client.send("0\r\n\r\n")
      #expect(try await client.response().status == 413)
    }
  }

  @Test func `a body far over the limit is rejected before it arrives`() async throws {
    let service = service(limit: 100_000)
    try await withDaemon(service) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      await client.send(head("Content-Length: 900000000"))
      let response = try await client.response()
      #expect(response.status == 413 && response.isClosing)
      #expect(response.text.contains("\"content-too-large\""))
      let record = try #require(try await service.records(1).first)
      #expect(record.status?.code == 413 && record.outcome == .answered)
    }
  }

  @Test func `a body that turns out to be malformed gets a response after its end`() async throws {
    try await withDaemon(service()) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let body = Array("--b0 garbage".utf8) + [UInt8](repeating: 1, count: 300_000)
      await client.send(
        head("Content-Type: multipart/form-data; boundary=b0", "Content-Length: \(body.count)"))
      #expect(await client.send(body))
      let response = try await client.response()
      #expect(response.status == 400 && response.text.contains("\"malformed-request\""))
      #expect(await client.isClosedByServer())
    }
  }

  @Test func `an incomplete body is rejected, and the connection is kept`() async throws {
    try await withDaemon(service()) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let body = "--b0\r\nContent-Disposition: form-data; name=top\r\n\r\nx"
      let response = try await client.request(
        head("Content-Type: multipart/form-data; boundary=b0", "Content-Length: \(body.utf8.count)")
          + body)
      #expect(response.status == 400 && !response.isClosing)
      #expect(try await client.request(head("Content-Length: 2") + "ab").text == "2")
    }
  }

  @Test func `a rejection by the service waits for the body and closes`() async throws {
    try await withDaemon(service()) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let body = String(repeating: "x", count: 100_000)
      let response = try await client.request(
        head("Content-Type: text/plain", "Content-Length: \(body.utf8.count)") + body)
      #expect(response.status == 415 && response.isClosing)
      let other = try WireClient(port: daemon.boundPort)
      let bodiless = try await other.request(head("Content-Type: text/plain"))
      #expect(bodiless.status == 415 && !bodiless.isClosing)
      #expect(try await other.request(head("Content-Type: text/plain")).status == 415)
    }
  }

  @Test(arguments: [
    "Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
  ])
  func `an unexpected body is too large, and the problem says why`(_ body: String) async throws {
    try await withDaemon(TestService { _ in .text("") }) { daemon in
      let client = try WireClient(port: daemon.boundPort)
      let response = try await client.request("DELETE / HTTP/1.1\r\nHost: h\r\n\(body)")
      #expect(response.status == 413)
      #expect(response.text.contains("This endpoint does not accept a request body."))
    }
  }
}

/// A checksum that depends on the order of the bytes.
private func sum(_ bytes: Bytes) -> UInt32 {
  bytes.withUnsafeBytes { $0.reduce(17) { $0 &* 31 &+ UInt32($1) } }
}
