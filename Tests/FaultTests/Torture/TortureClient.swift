import Bytes
import Crypto
import Foundation
import Support
import Wire

/// One of many clients. It uploads, edits, shares, deletes, restores and reads.
struct TortureClient: Sendable {
  let ledger: Ledger
  /// The number of the client, and the source of its random decisions.
  let number: Int
  var random: SeededRandom
  /// The session of the client's account. Without one, it is anonymous.
  var session: String?
  /// The statuses that say nothing about whether the request was carried out.
  var uncertain: Set<Int> = [503]
  /// Whether the request passes through nginx.
  private var isProxied = false

  /// The memes that were acknowledged to this client, and that it has not asked to delete.
  var own: [String] = []

  init(_ number: Int, _ ledger: Ledger, _ random: SeededRandom) {
    (self.number, self.ledger, self.random) = (number, ledger, random)
  }

  /// Sends requests on one connection until the server is gone.
  mutating func run(on server: ServerProcess) async {
    guard let client = try? server.connect() else { return }
    do {
      while true { try await act(on: client) }
    } catch { return }
  }

  private mutating func act(on client: WireClient) async throws {
    switch Double.random(in: 0..<1, using: &random) {
    case 0..<0.45: try await upload(newUpload(), to: client)
    case 0.45..<0.53: try await uploadAhead(to: client)
    case 0.53..<0.62: try await edit(on: client)
    case 0.62..<0.7: try await share(on: client)
    case 0.7..<0.82: try await delete(from: client)
    case 0.82..<0.9: try await restore(on: client)
    default: try await read(from: client)
    }
  }

  private mutating func newUpload() throws -> Ledger.Upload {
    var upload = try Ledger.Upload(&random)
    upload.session = session
    return upload
  }

  /// Sends each request to another server of a database, until it is over. What got no response and can be repeated
  /// is sent again, to another server.
  mutating func run(on servers: ServerGroup, until isOver: @Sendable () -> Bool) async {
    while !isOver() {
      do {
        if random.chance(0.4) {
          let upload = try newUpload()
          repeat {
            do { try await self.upload(upload, to: connect(servers)) } catch {}
            guard ledger.isUnanswered(upload) else { break }
            try await Task.sleep(for: .milliseconds(20))
          } while upload.isRepeatable && !isOver()
        } else {
          try await act(on: connect(servers))
        }
      } catch {
        // No other request may touch a meme whose state is unknown.
        own.removeAll(where: ledger.isUncertain)
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private mutating func connect(_ servers: ServerGroup) throws -> WireClient {
    let connection = try servers.connect(&random)
    isProxied = connection.isProxied
    return connection.client
  }

  mutating func upload(_ upload: Ledger.Upload, to client: WireClient) async throws {
    ledger.willUpload(upload)
    let answer = try await client.upload(upload)
    switch answer.status {
    // 200 repeats an earlier upload with this id.
    case 200 where upload.id != nil, 201:
      ledger.wasUploaded(upload, answer.json)
      if let id = answer.json.id.text { own.append(id) }
    // The server is stopping. It may still have stored what it had begun.
    case _ where uncertain.contains(answer.status): break
    case 409 where answer.json.code.text == "idempotency-key-in-use": break
    default: ledger.complain("an upload was answered \(answer.response.text.prefix(300))")
    }
    if answer.response.isClosing { throw WireClient.Failure(what: "closing") }
  }

  private mutating func delete(from client: WireClient) async throws {
    own.shuffle(using: &random)
    guard let (id, token) = ledger.willDelete(among: own) else { return }
    own.removeAll { $0 == id }
    let answer = try await client.ask("DELETE", "/memes/\(id)", token: token)
    switch answer.status {
    case 204: ledger.wasDeleted(id)
    // nginx repeats a DELETE whose server has died. The dead one may have carried it out.
    case 410 where isProxied: ledger.wasDeleted(id)
    case _ where uncertain.contains(answer.status): break
    default: ledger.complain("a deletion was answered \(answer.response.text.prefix(300))")
    }
    if answer.response.isClosing { throw WireClient.Failure(what: "closing") }
  }

  private mutating func restore(on client: WireClient) async throws {
    guard let (id, token) = ledger.willRestore(&random) else { return }
    let answer = try await client.ask("POST", "/memes/\(id)/restore", token: token)
    switch answer.status {
    case 200: ledger.wasRestored(id)
    case _ where uncertain.contains(answer.status): break
    default: ledger.complain("a restoration was answered \(answer.response.text.prefix(300))")
    }
    if answer.response.isClosing { throw WireClient.Failure(what: "closing") }
  }

  private mutating func read(from client: WireClient) async throws {
    guard let id = own.randomElement(using: &random) else { return }
    let answer = try await client.ask("GET", "/memes/\(id)")
    if answer.status != 200, !uncertain.contains(answer.status) {
      ledger.complain("what was acknowledged was answered \(answer.response.text.prefix(300))")
    }
    if answer.response.isClosing { throw WireClient.Failure(what: "closing") }
  }
}

extension WireClient {
  func upload(_ upload: Ledger.Upload) async throws -> Answer {
    let body = upload.form.bytes
    await send(
      Array(
        """
        POST /memes HTTP/1.1\r\nHost: x\r\nContent-Type: \(upload.form.contentType)\r
        \(upload.key.map { "Idempotency-Key: \($0)\r\n" } ?? "")\
        \(upload.session.map { "Authorization: Bearer \($0)\r\n" } ?? "")Content-Length: \(body.count)\r\n\r\n
        """.utf8) + body)
    return Answer(try await response())
  }

  func ask(_ method: String, _ target: String, token: String? = nil) async throws -> Answer {
    let credentials = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    await send("\(method) \(target) HTTP/1.1\r\nHost: x\r\n\(credentials)\r\n")
    return Answer(try await response())
  }
}

extension Ledger.Upload {
  /// Whether a server recognizes it if it is sent again.
  var isRepeatable: Bool { id != nil || key != nil }

  /// Creates an upload that differs from all others.
  init(_ random: inout SeededRandom) throws {
    let room = random.chance(0.3) ? 60_000 : 2_000
    try self.init(&random, commentBytes: .random(in: 16..<room, using: &random))
  }

  /// - Parameters:
  ///   - photo: a JPEG.
  ///   - commentBytes: the size of the comments in the JPEG, which make it another file of the same picture.
  init(
    _ random: inout SeededRandom, of photo: [UInt8] = Self.photo, commentBytes: Int,
    maxEdge: Int = 160
  ) throws {
    self.init(
      picture: Self.picture(&random, of: photo, commentBytes: commentBytes),
      caption: "number \(random.next() % 1000)", maxEdge: maxEdge,
      id: random.chance(0.4) ? UUID(&random).uuidString.lowercased() : nil,
      key: random.chance(0.4) ? UUID(&random).uuidString : nil)
  }

  /// Returns a unique picture, as in ``init(_:of:commentBytes:maxEdge:)``.
  static func picture(
    _ random: inout SeededRandom, of photo: [UInt8] = Self.photo, commentBytes: Int
  ) -> [UInt8] {
    let text = random.bytes(min(commentBytes, 60_000))
    var comments: [UInt8] = []
    while comments.count < commentBytes {
      comments += [0xFF, 0xFE] + bigEndian(text.count + 2) + text
    }
    return Array(photo.prefix(2) + comments + photo.dropFirst(2))
  }

  /// Creates a meme of a picture that the server already has.
  init(picture: [UInt8], sentAheadAs upload: String, caption: String) {
    self.init(
      digest: SHA256.digest(of: Bytes(picture)).hexadecimal, id: nil, key: nil,
      form: FormBody([
        .field("upload", upload), .field("top", caption), .field("maxEdge", "160"),
      ]))
  }

  init(picture: [UInt8], caption: String, maxEdge: Int, id: String? = nil, key: String? = nil) {
    var parts: [FormBody.Part] = [
      .file("image", picture), .field("top", caption), .field("maxEdge", "\(maxEdge)"),
    ]
    if let id { parts.append(.field("id", id)) }
    self.init(
      digest: SHA256.digest(of: Bytes(picture)).hexadecimal, id: id, key: key,
      form: FormBody(parts))
  }

  private static let photo = (try? Fixture.progressive.bytes) ?? []

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [UInt8(number >> 8), UInt8(number & 0xFF)]
  }
}

extension [UInt8] {
  var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension UUID {
  fileprivate init(_ random: inout SeededRandom) {
    var bytes = random.bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}
