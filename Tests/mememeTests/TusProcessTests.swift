import Foundation
import Support
import Testing
import Wire

/// Durability of resumable uploads if the server process ends.
struct TusProcessTests {
  private let tus = "Tus-Resumable: 1.0.0\r\n"

  private func begin(_ server: ServerProcess, _ count: Int) async throws -> String {
    let answer = try await server.send(
      Array("POST /uploads HTTP/1.1\r\nHost: x\r\n\(tus)Upload-Length: \(count)\r\n\r\n".utf8)
    ).expect(201)
    return try #require(answer["location"])
  }

  private func offset(_ server: ServerProcess, _ url: String) async throws -> Int {
    let client = try server.connect()
    let head = try await client.request("HEAD \(url) HTTP/1.1\r\nHost: x\r\n\(tus)\r\n")
    #expect(head.status == 200)
    return try #require(head["upload-offset"].flatMap { Int($0) })
  }

  private func pieceHead(_ url: String, _ offset: Int, _ count: Int) -> [UInt8] {
    Array(
      """
      PATCH \(url) HTTP/1.1\r\nHost: x\r\n\(tus)Upload-Offset: \(offset)\r
      Content-Type: application/offset+octet-stream\r\nContent-Length: \(count)\r\n\r\n
      """.utf8)
  }

  /// Starts a piece with the rest of the picture, but sends only `count` bytes of it.
  private func open(
    _ server: ServerProcess, _ url: String, _ picture: [UInt8], at offset: Int, sending count: Int
  ) async throws -> WireClient {
    let client = try server.connect()
    await client.send(pieceHead(url, offset, picture.count - offset))
    await client.send(Array(picture[offset..<offset + count]))
    return client
  }

  @Test func `a reported offset survives kill -9, between pieces and during one`() async throws {
    try await withDataFolder { folder in
      let picture = try Fixture.photo.bytes
      var server = try await ServerProcess(data: folder)
      let url = try await begin(server, picture.count)
      var (told, rounds) = (0, 0)
      while told < 30_000, rounds < 20 {
        rounds += 1
        let piece = Array(picture[told..<told + 4000])
        try await server.send(pieceHead(url, told, piece.count) + piece).expect(204)
        told += piece.count
        // One piece is in transit when the offset is requested, and another one when the process dies.
        let first = try await open(server, url, picture, at: told, sending: 1500)
        let next = try await offset(server, url)
        #expect((told...told + 1500).contains(next))
        told = next
        let second = try await open(server, url, picture, at: told, sending: 1000)
        #expect(try await server.end(by: SIGKILL) == SIGKILL)
        server = try await ServerProcess(data: folder)
        #expect(try await offset(server, url) == told)
        withExtendedLifetime((first, second)) {}
      }
      let rest = Array(picture[told...])
      try await server.send(pieceHead(url, told, rest.count) + rest).expect(204)
      #expect(try await server.end(by: SIGKILL) == SIGKILL)
      try await withLiveServer(in: folder) { server in
        let end = try await server.offset(of: url)
        #expect(end == picture.count)
        #expect(try await server.original(ofMemeOf: url) == picture)
      }
    }
  }

  @Test func `a graceful stop stores the received part of a piece`() async throws {
    try await withDataFolder { folder in
      let picture = try Fixture.photo.bytes
      let server = try await ServerProcess(data: folder, settings: ["MEMEME_DRAIN_TIMEOUT": "1"])
      let url = try await begin(server, picture.count)
      let client = try await open(server, url, picture, at: 0, sending: 7000)
      // The drain waits a second for the rest.
      #expect(try await server.end(by: SIGTERM) == 0)
      withExtendedLifetime(client) {}
      try await withServer(in: folder) { server in
        #expect(try await server.offset(of: url) == 7000)
        try await server.append(Array(picture[7000...]), to: url, at: 7000).expect(204)
        #expect(try await server.original(ofMemeOf: url) == picture)
      }
    }
  }

  @Test func `mememe check verifies unfinished uploads`() async throws {
    try await withDataFolder { url in
      let folder = CheckedFolder(url: url)
      var id = ""
      try await withServer(in: url) { server in
        let upload = try await server.begin(1000)
        id = String(upload.dropFirst("/uploads/".count))
        for offset in [0, 3, 6] {
          try await server.append([1, 2, 3], to: upload, at: offset).expect(204)
        }
      }
      let (code, lines) = try await folder.check()
      #expect(code == 0)
      #expect(
        lines[0].hasPrefix("checked 0 memes (0 in the trash), 0 uploads (1 more unfinished), 0"))
      let whole = try Data(contentsOf: folder.database)
      for (sql, expected) in [
        ("DELETE FROM upload_pieces", ["wrong-length unfinished-upload-row=1: its pieces have 0 "]),
        (
          "UPDATE upload_pieces SET start = 1",
          ["wrong-length unfinished-upload-row=1: its pieces have 0 "]
        ),
        (
          "UPDATE unfinished_uploads SET received = 8",
          ["wrong-length unfinished-upload-row=1: its pieces have 9 "]
        ),
        ("DELETE FROM unfinished_uploads", ["broken-reference table=upload_pieces: "]),
      ] {
        let lines = try await expectFindings(expected, after: sql, in: whole)
        #expect(lines.count == expected.count + 1, "\(lines)")
        #expect(!lines.contains { $0.contains(id) })
      }
    }
  }
}
