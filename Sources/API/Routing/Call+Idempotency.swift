import Bytes
import HTTP
import Memes

extension Call {
  /// The request as one that the client may repeat; `nil` if it has no idempotency key.
  ///
  /// - Parameters:
  ///   - seal: a keyed digest, for requests whose fields must not be guessable from the digest.
  ///   - response: returns the response to store.
  func idempotentRequest<Made>(
    _ digest: @escaping Digester, sealing seal: Digester? = nil,
    keeping response: @escaping @Sendable (Made) -> Response
  ) -> IdempotentRequest<Made>? {
    key.map { key in
      IdempotentRequest(
        key: StoredIdempotencyKey(key.text, of: viewer, at: request.head.peer, digest),
        digest: request.digest(seal ?? digest),
        response: { StoredResponse.encode(response($0)) })
    }
  }
}

extension IdempotencyRecord {
  /// The stored response, marked as replayed. The caller adds the parts that are not stored.
  ///
  /// - Throws: `internalError` if the stored response is damaged.
  func replayedResponse() throws(Problem) -> Response {
    try StoredResponse.decode(response).with(.idempotentReplayed, "true")
  }
}

extension Request {
  /// A digest that identifies the request: its method, URL, `Accept` and body fields in any order.
  ///
  /// A repeated multipart body has another boundary, so fields are compared after parsing. Their values are compared as
  /// sent: an omitted field differs from a field with the default value.
  func digest(_ digest: Digester) -> Digest {
    func list(_ parts: [String]) -> String { Digest(of: parts, digest).hexadecimal }
    return Digest(
      of: [
        head.method.rawValue, list(head.target.segments),
        list(head.target.query.flatMap { [$0.name, $0.value] }),
        head.headers.combined(.accept) ?? "", list(body.fields(digest)),
      ], digest)
  }
}

extension RequestBody {
  fileprivate func fields(_ digest: Digester) -> [String] {
    switch self {
    // The reader has stored such a body itself, and its route accepts no keys.
    case .none, .made: []
    case .bytes(let bytes): [digest(bytes).hexadecimal]
    case .form(let form): form.parts.map { $0.digest(digest) }.sorted()
    }
  }
}

extension FormPart {
  fileprivate func digest(_ digest: Digester) -> String {
    let content =
      switch content {
      case .bytes(let bytes): digest(bytes).hexadecimal
      // Forms with such parts are rejected.
      case .tooLarge, .repeated, .unknown: ""
      }
    return Digest(of: [name, content], digest).hexadecimal
  }
}
