import Foundation
package import Testing
package import Wire

extension TestServer {
  package static let tus = [("Tus-Resumable", "1.0.0")]

  /// Begins a resumable upload.
  ///
  /// - Returns: its URL.
  package func begin(
    _ byteCount: Int, token: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let answer = try await send(
      "POST", "/uploads",
      headers: Self.tus + Self.bearer(token) + [("Upload-Length", "\(byteCount)")], body: []
    ).expect(201, sourceLocation: sourceLocation)
    return try #require(answer["location"], sourceLocation: sourceLocation)
  }

  /// Sends a piece of an upload.
  package func append(
    _ piece: [UInt8], to target: String, at offset: Int, token: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    try await send(
      "PATCH", target, headers: Self.tus + Self.bearer(token) + Self.piece(at: offset), body: piece,
      sourceLocation: sourceLocation)
  }

  /// Returns the offset of an upload, like a client that resumes it.
  package func offset(
    of target: String, token: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Int {
    let answer = try await send(
      "HEAD", target, headers: Self.tus + Self.bearer(token), sourceLocation: sourceLocation
    ).expect(200, sourceLocation: sourceLocation)
    return try #require(
      answer["upload-offset"].flatMap { Int($0) }, sourceLocation: sourceLocation)
  }

  /// The head of a request with a piece of this many bytes.
  package func pieceHead(
    _ target: String, at offset: Int, _ byteCount: Int, more: String = ""
  ) -> String {
    let fields = (Self.tus + Self.piece(at: offset)).map { "\($0): \($1)\r\n" }.joined()
    return
      "PATCH \(target) HTTP/1.1\r\nHost: x\r\n\(fields)\(more)Content-Length: \(byteCount)\r\n\r\n"
  }

  /// Sends the head of a piece, and waits until the server asks for the body.
  package func open(
    _ target: String, at offset: Int, _ byteCount: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> WireClient {
    let client = try connect()
    let interim = try await client.request(
      pieceHead(target, at: offset, byteCount, more: "Expect: 100-continue\r\n"))
    #expect(interim.status == 100, "\(interim.text)", sourceLocation: sourceLocation)
    return client
  }

  /// Makes a meme of an upload, and returns the bytes of its original.
  package func original(ofMemeOf upload: String) async throws -> [UInt8] {
    let id = upload.split(separator: "/").last.map(String.init) ?? upload
    let meme = try await post([.field("upload", id)], token: adminToken).expect(201).json
    return try await get("/memes/\(meme.id.text ?? "")/original", token: adminToken).expect(200)
      .response.body
  }

  private static func piece(at offset: Int) -> [(String, String)] {
    [("Upload-Offset", "\(offset)"), ("Content-Type", "application/offset+octet-stream")]
  }

  private static func bearer(_ token: String?) -> [(String, String)] {
    token.map { [("Authorization", "Bearer \($0)")] } ?? []
  }
}
