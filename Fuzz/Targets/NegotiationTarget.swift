import Bytes
import HTTP
import Memes

@testable import API

extension FuzzTarget {
  /// The header fields that handlers read: Accept, Authorization, X-Request-Id.
  static let negotiation = FuzzTarget(name: "negotiation", maximumBytes: 1024) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let types = ["application/json", "image/jpeg", "image/png"]
    let accept = Accept(text)
    let qualities = types.map(accept.quality)
    try require(qualities.allSatisfy { (0...1).contains($0) }, "a quality is from 0 to 1")
    let other = Accept(text.uppercased().lowercased())
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      try require(types.map(other.quality) == qualities, "types have no case")
    }
    var draft = MemeDraft(picture: .image(Bytes()))
    switch Result(of: { () throws(Problem) in
      try accept.prefersPicture(of: &draft, among: OutputFormat.everywhere)
    }) {
    case .success(let wantsPicture):
      try require(wantsPicture || qualities[0] > 0, "JSON goes to who takes it")
      try require(!wantsPicture || qualities[1...].contains { $0 > 0 }, "as pictures do")
      let wanted = draft.acceptableFormats.map { accept.quality(of: "image/\($0.rawValue)") }
      try require(
        !wantsPicture || !wanted.isEmpty && wanted.allSatisfy { $0 == qualities[1...].max() },
        "and those that are liked best")
    case .failure(let problem):
      try require(problem.kind == .notAcceptable, "what nothing can meet is 406")
      try require(qualities.allSatisfy { $0 == 0 }, "and only that")
    }

    if let id = RequestID(text) {
      try require(
        id.text == text && HeaderValue(text) != nil, "an id that is taken goes out the same")
    }
    guard let value = HeaderValue(text) else {
      try require(text.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "only controls are refused")
      return
    }
    let kept = Response(.created, headers: Headers([(.location, value)]), body: Bytes(bytes))
    let answer = try StoredResponse.decode(StoredResponse.encode(kept))
    try require(
      answer.status == kept.status && answer.body == kept.body
        && answer.headers.fields.elementsEqual(kept.headers.fields) { $0 == $1 },
      "an answer that is kept is given again")
    let headers = Headers([(.authorization, value)])
    switch Result(of: { () throws(Problem) in try BearerToken.read(headers)?.text ?? "" }) {
    case .success(let token):
      try require((1...512).contains(token.utf8.count), "a token has its length")
      try require(token[...].trimmingSpaces() == token, "and no blanks around it")
      let again = try BearerToken.read(
        Headers([(.authorization, HeaderValue("Bearer \(token)") ?? "")]))
      try require(again?.text == token, "it may be sent again")
    case .failure(let problem):
      try require(problem.kind == .unauthorized, "bad credentials are 401")
    }
  }
}
