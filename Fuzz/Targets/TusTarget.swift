import HTTP

@testable import API

extension FuzzTarget {
  /// The header fields of a tus request: version, length, offset and metadata, one per line.
  static let tus = FuzzTarget(name: "tus", maximumBytes: 1024) { bytes in
    var input = Input(bytes)
    func field(_ name: HeaderName) -> (HeaderName, HeaderValue)? {
      HeaderValue(String(decoding: input.line(), as: UTF8.self)).map { (name, $0) }
    }
    let names: [HeaderName] = [.tusResumable, .uploadLength, .uploadOffset, .uploadMetadata]
    let headers = Headers(names.compactMap(field))

    switch Result(of: { () throws(Problem) in try Tus.isUsed(headers) }) {
    case .success(let isUsed):
      try require(
        isUsed == (headers[.tusResumable]?.text == "1.0.0") || headers[.tusResumable] == nil,
        "the only version is 1.0.0")
    case .failure(let problem):
      try require(problem.headers[.tusVersion] != nil, "another one is told which there is")
    }
    switch Result(of: { () throws(Problem) in try Tus.offset(headers) }) {
    case .success(let offset):
      let digits = headers[.uploadOffset]?.text.drop { $0 == "0" } ?? ""
      try require(
        offset == .max || "\(offset)" == (digits.isEmpty ? "0" : digits), "an offset is as written")
    case .failure(let problem):
      try require(problem.kind == .malformedRequest, "what is no number is 400")
    }
    let metadata = headers[.uploadMetadata]?.text ?? ""
    switch Result(of: { () throws(Problem) in try Tus.length(headers, atMost: 5000) }) {
    case .success(let length):
      try require((1...5000).contains(length), "a length is within its bounds")
      try require(Tus.isMetadata(metadata), "metadata that are taken are well-formed")
    case .failure(let problem):
      try require(
        [.malformedRequest, .contentTooLarge, .unsupportedPicture].contains(problem.kind),
        "a length that is not is 400, 413 or 415")
    }
    if Tus.isMetadata(metadata), !metadata.isEmpty {
      try require(!Tus.isMetadata("\(metadata),\(metadata)"), "a key is there once")
      let other = String(repeating: "k", count: metadata.utf8.count + 1)
      try require(Tus.isMetadata("\(metadata), \(other) YQ=="), "another key may follow")
      try require(
        metadata.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 },
        "what is taken is visible")
    }
  }
}
