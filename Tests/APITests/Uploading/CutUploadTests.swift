import Eventually
import Foundation
import Support
import Testing
import Wire
import mememe

/// Uploads whose connections break, and concurrent requests to one upload.
struct CutUploadTests {
  @Test(arguments: [false, true])
  func `the received part of an interrupted piece is stored`(
    isChunked: Bool
  ) async throws {
    try await withLiveServer { server in
      let picture = try Fixture.photo.bytes
      let url = try await server.begin(picture.count)
      let client = try server.connect()
      let half = Array(picture.prefix(20_000))
      if isChunked {
        await client.send(
          """
          PATCH \(url) HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r
          Content-Type: application/offset+octet-stream\r\nTransfer-Encoding: chunked\r\n\r
          \(String(picture.count, radix: 16))\r\n
          """)
      } else {
        await client.send(server.pieceHead(url, at: 0, picture.count))
      }
      await client.send(half)
      client.vanish()
      // This request does not end the previous one.
      try await eventually("the half that arrived is kept") {
        try await server.get(url).expect(200).json.offset.int == half.count
      }
      // The bytes are visible shortly before the next piece is accepted. A resuming client first asks
      // for the offset, and that request waits.
      #expect(try await server.offset(of: url) == half.count)
      try await server.append(Array(picture.dropFirst(half.count)), to: url, at: half.count)
        .expect(204)
      #expect(try await server.original(ofMemeOf: url) == picture)
    }
  }

  @Test func `a piece that is too slow gets 408, and its received part is stored`() async throws {
    try await withLiveServer({ $0.bodyMinRate = 1 << 20 }) { server in
      let url = try await server.begin(1000)
      let client = try server.connect()
      await client.send(server.pieceHead(url, at: 0, 1000) + "abc")
      Answer(try await client.response()).expect(408, problem: "request-timeout")
      #expect(try await server.offset(of: url) == 3)
    }
  }

  @Test func `an offset request ends the previous piece and keeps its bytes`() async throws {
    try await withLiveServer { server in
      let picture = try Fixture.photo.bytes
      let url = try await server.begin(picture.count)
      // The server cannot know that the client will never send the rest.
      let lost = try await server.open(url, at: 0, picture.count)
      await lost.send(Array(picture.prefix(5000)))
      let busy = try await server.append(picture, to: url, at: 0)
        .expect(409, problem: "upload-busy")
      #expect(busy["tus-resumable"] == "1.0.0")
      #expect(try await server.get(url).expect(200).json.offset.int == 0)
      var offset = 0
      // The bytes may still be in transit.
      for _ in 0..<3 where offset == 0 { offset = try await server.offset(of: url) }
      #expect((0...5000).contains(offset))
      // The first request can no longer write, whatever it sends.
      await lost.send(Array(picture.dropFirst(5000)))
      Answer(try await lost.response()).expect(409, problem: "upload-busy")
      #expect(try await server.offset(of: url) == offset)
      try await server.append(Array(picture[offset...]), to: url, at: offset).expect(204)
      #expect(try await server.original(ofMemeOf: url) == picture)
    }
  }

  @Test func `a piece in transit of a deleted upload gets 404`() async throws {
    try await withLiveServer { server in
      let url = try await server.begin(100)
      let client = try await server.open(url, at: 0, 10)
      await client.send("12345")
      try await server.delete(url).expect(204)
      await client.send("67890")
      Answer(try await client.response()).expect(404, problem: "not-found")
      #expect(try await server.metrics().value("mememe_unfinished_uploads") == 0)
    }
  }

  @Test func `a rejected piece does not block the next one`() async throws {
    try await withLiveServer { server in
      let url = try await server.begin(10)
      for _ in 0..<3 {
        let client = try server.connect()
        await client.send(server.pieceHead(url, at: 0, 11))
        Answer(try await client.response()).expect(413, problem: "content-too-large")
      }
      try await server.append([1, 2], to: url, at: 0).expect(204)
    }
  }

  @Test func `one of many concurrent writers completes the upload`() async throws {
    try await withServer { server in
      let picture = try Fixture.photo.bytes
      let url = try await server.begin(picture.count + 3000)
      // A JPEG ends at a marker. The bytes after it have no meaning, but the original keeps them.
      let pictures = (0..<12).map { picture + [UInt8](repeating: $0, count: 3000) }
      let answers = try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
        for (number, picture) in pictures.enumerated() {
          group.addTask { (number, try await server.append(picture, to: url, at: 0)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let taken = answers.filter { $0.1.status == 204 }
      #expect(taken.count == 1)
      for (_, answer) in answers where answer.status != 204 { answer.expect(409) }
      let number = try #require(taken.first?.0)
      #expect(try await server.original(ofMemeOf: url) == pictures[number])
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `an upload with random interruptions arrives intact`(seed: UInt64) async throws {
    var random = SeededRandom(seed)
    try await withDataFolder { folder in
      let picture = try Fixture.photo.bytes
      var (url, left): (String, [WireClient]) = ("", [])
      var (offset, rounds) = (0, 0)
      while offset < picture.count, rounds < 200 {
        try await withLiveServer(in: folder) { server in
          if url.isEmpty { url = try await server.begin(picture.count) }
          for _ in 0..<Int.random(in: 2...12, using: &random) where offset < picture.count {
            rounds += 1
            let told = try await server.offset(of: url)
            #expect(told >= offset, "an offset that was returned once holds")
            offset = told
            let rest = Array(picture[offset...])
            let piece = Array(rest.prefix(Int.random(in: 1...8000, using: &random)))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
              let answer = try await server.append(piece, to: url, at: offset)
              if answer.status == 204 {
                offset += piece.count
              } else {
                // An earlier, interrupted request began only after the offset was requested.
                answer.expect(409)
              }
            case let end:
              let client = try server.connect()
              await client.send(server.pieceHead(url, at: offset, rest.count))
              await client.send(piece)
              // If the whole rest was sent, only its response is lost.
              if end == 3 { left.append(client) } else { client.vanish(reset: end == 2) }
            }
          }
        }
      }
      try await withLiveServer(in: folder) { server in
        let end = try await server.offset(of: url)
        #expect(end == picture.count)
        #expect(try await server.original(ofMemeOf: url) == picture)
      }
    }
  }
}
