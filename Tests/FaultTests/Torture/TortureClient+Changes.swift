import Foundation
import Support
import Wire

extension TortureClient {
  mutating func edit(on client: WireClient) async throws {
    let caption = "edited \(random.next() % 1000)"
    guard let id = own.randomElement(using: &random),
      let token = ledger.willChange(id, by: .edit(caption: caption))
    else { return }
    let answer = try await client.ask(
      "PATCH", "/memes/\(id)",
      ["Authorization: Bearer \(token)", "Content-Type: application/json"],
      Array("{\"top\": \"\(caption)\"}".utf8))
    switch answer.status {
    case 200: ledger.wasEdited(id, to: answer.json)
    // No other request may touch a meme whose state is unknown.
    case _ where uncertain.contains(answer.status): own.removeAll { $0 == id }
    default: ledger.complain("an edit was answered \(answer.response.text.prefix(300))")
    }
    if answer.response.isClosing { throw WireClient.Failure(what: "closing") }
  }

  mutating func share(on client: WireClient) async throws {
    let key = "\(number)-\(random.next())"
    guard let id = own.randomElement(using: &random),
      ledger.willChange(id, by: .share(key: key)) != nil
    else { return }
    let answer = try await client.share(id, key: key)
    switch answer.status {
    case 204: ledger.wasShared(id)
    case _ where uncertain.contains(answer.status): own.removeAll { $0 == id }
    default: ledger.complain("a share was answered \(answer.response.text.prefix(300))")
    }
    if answer.response.isClosing { throw WireClient.Failure(what: "closing") }
  }

  /// Uploads a picture ahead, and makes a meme of it.
  mutating func uploadAhead(to client: WireClient) async throws {
    let picture = Ledger.Upload.picture(&random, commentBytes: 2_000)
    let answer = try await client.ask("POST", "/uploads", [], picture)
    switch answer.status {
    case 201: break
    case _ where uncertain.contains(answer.status): throw WireClient.Failure(what: "stopping")
    default: return ledger.complain("/uploads answered \(answer.response.text.prefix(300))")
    }
    guard let id = answer.json.id.text else {
      return ledger.complain("the answer of /uploads has no id")
    }
    ledger.change { $0.ahead.append(id) }
    if answer.response.isClosing { throw WireClient.Failure(what: "closing") }
    try await upload(
      Ledger.Upload(picture: picture, sentAheadAs: id, caption: "number \(random.next() % 1000)"),
      to: client)
  }
}

extension WireClient {
  /// - Parameter fields: the lines of the head after the request line.
  func ask(
    _ method: String, _ target: String, _ fields: [String], _ body: [UInt8]
  ) async throws -> Answer {
    let head =
      ["\(method) \(target) HTTP/1.1", "Host: x", "Content-Length: \(body.count)"] + fields
    await send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    return Answer(try await response())
  }

  func share(_ id: String, key: String) async throws -> Answer {
    try await ask(
      "POST", "/memes/\(id)/shares",
      ["Content-Type: application/json", "Idempotency-Key: \(key)"],
      Array(#"{"channel": "link"}"#.utf8))
  }
}
