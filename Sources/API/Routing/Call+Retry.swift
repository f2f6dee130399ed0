import Bytes
import HTTP
import Memes

extension Call {
  /// The request as one that may come again; `nil` where it has no key.
  ///
  /// - Parameters:
  ///   - seal: makes the digest of the request where its fields are not to be guessed from that.
  ///   - answer: what to keep of the answer.
  func retry<Made>(
    _ digest: @escaping Digester, sealing seal: Digester? = nil,
    keeping answer: @escaping @Sendable (Made) -> Response
  ) -> Retry<Made>? {
    key.map { key in
      Retry(
        key: RetryKey(key.text, of: viewer, at: request.head.peer, digest),
        request: request.digest(seal ?? digest),
        answer: { KeptAnswer.encode(answer($0)) })
    }
  }
}

extension FirstAnswer {
  /// The answer as it was given, but for what is made again each time, and marked as one that was given before.
  ///
  /// - Throws: 500 where what was kept is damaged.
  func response() throws(Problem) -> Response {
    var response = try KeptAnswer.decode(answer)
    response.headers[.idempotentReplayed] = "true"
    return response
  }
}

extension Request {
  /// Stands for what the request asks for: method, address, `Accept` and the fields of its body, whatever their order.
  ///
  /// A multipart body that is sent again has another boundary, so fields are compared as they were read. They are
  /// compared as sent: a field that is left out is not one that has the default's value.
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
    // What is made of one is kept by itself, and takes no keys.
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
      // Such forms are refused.
      case .tooLarge, .unknown: ""
      }
    return Digest(of: [name, content], digest).hexadecimal
  }
}
