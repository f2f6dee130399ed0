import YAML

extension Contract {
  /// Checks a response against the contract.
  ///
  /// - Parameters:
  ///   - pathTemplate: the path as in the contract, such as `/memes/{id}`, or any other text for a path that is not in
  ///     the contract.
  ///   - contentType: the value of the header, with or without parameters.
  ///   - headers: all headers, with names in any case.
  /// - Returns: the violations, one sentence each. Empty if the response is valid.
  package func validate(
    method: String, pathTemplate: String, status: Int, contentType: String?,
    headers: [(String, String)], body: [UInt8]
  ) -> [String] {
    let call = "\(method) \(pathTemplate) → \(status)"
    guard
      let response = response(method: method, pathTemplate: pathTemplate, status: status)
    else { return ["\(call): the contract has no such answer"] }
    let fields = Dictionary(grouping: headers) { $0.0.lowercased() }.mapValues { $0.map(\.1) }
    var violations = headerViolations(of: fields, response)
    if fields["cache-control"] != nil, response.node["headers"]?["Cache-Control"] == nil {
      violations.append("the contract has no header Cache-Control")
    }
    if method.uppercased() == "HEAD" {
      if !body.isEmpty { violations.append("an answer to HEAD has no body") }
    } else {
      violations += bodyViolations(of: body, contentType, status, fields, response.node)
      violations += problemViolations(of: body, contentType, status, fields, response.codes)
    }
    return violations.map { "\(call): \($0)" }
  }

  private func headerViolations(
    of fields: [String: [String]], _ response: DefinedResponse
  ) -> [String] {
    (response.node["headers"]?.mapping ?? YAMLMapping()).flatMap { declared -> [String] in
      let header = declared.value.resolved(in: document)
      guard let values = fields[declared.key.lowercased()] else {
        let isRequired = header["required"]?.bool == true || declared.key == response.header
        return isRequired ? ["the header \(declared.key) is missing"] : []
      }
      // RFC 9110 §5.3: the only field that a response may have several times.
      guard values.count == 1 || declared.key == "Set-Cookie" else {
        return ["the header \(declared.key) is there \(values.count) times"]
      }
      return values.flatMap { value in
        SchemaValidator(document: document).violations(
          of: .string(value), against: header["schema"] ?? .bool(true), at: declared.key)
      }
    }
  }

  private func bodyViolations(
    of body: [UInt8], _ contentType: String?, _ status: Int, _ fields: [String: [String]],
    _ response: YAML
  ) -> [String] {
    guard let content = response["content"]?.mapping else {
      return body.isEmpty ? [] : ["has a body of \(body.count) bytes, where none is foreseen"]
    }
    guard let contentType else { return ["Content-Type is missing"] }
    guard let mediaType = content[Self.essence(of: contentType)] else {
      return ["\(contentType) is none of \(content.keys)"]
    }
    if fields["content-encoding"] == ["gzip"] {
      // RFC 1952 §2.3.1.
      return body.starts(with: [0x1F, 0x8B]) ? [] : ["the body is not compressed"]
    }
    guard let schema = mediaType["schema"] else { return ["\(contentType) has no schema"] }
    guard Self.isJSON(contentType) else {
      return status == 206
        ? Self.partViolations(of: body, fields) : Self.signatureViolations(of: body, contentType)
    }
    guard let value = try? JSON(parsing: body) else { return ["the body is not JSON"] }
    return SchemaValidator(document: document, closingObjects: true)
      .violations(of: value, against: schema)
  }

  /// Checks what schemas cannot express about a problem: that it agrees with its response.
  private func problemViolations(
    of body: [UInt8], _ contentType: String?, _ status: Int, _ fields: [String: [String]],
    _ codes: Set<String>
  ) -> [String] {
    let essence = contentType.map(Self.essence)
    // People get a page if the contract has one.
    if essence == "text/html" { return [] }
    guard essence == "application/problem+json",
      case .object(let problem)? = try? JSON(parsing: body)
    else { return status < 400 ? [] : ["a failure is told by a problem document"] }
    var violations: [String] = []
    if problem["status"] != .number(Double(status)) {
      violations.append("the problem's status is not the answer's")
    }
    if problem["instance"] != fields["x-request-id"]?.first.map(JSON.string) {
      violations.append("the problem's instance is not the X-Request-Id")
    }
    guard case .string(let code)? = problem["code"] else { return violations }
    if problem["type"] != .string("/problems/\(code)") {
      violations.append("the problem's type does not belong to its code")
    }
    if !codes.contains(code) {
      violations.append("the problem's code is \(code), and none of \(codes.sorted())")
    }
    return violations + memberViolations(of: problem, code)
  }

  /// The codes of the problems that can have a member which other problems do not have. One schema describes all
  /// problems, so that generated clients have one type.
  private static let codesOfMembers: [String: Set<String>] = [
    "errors": ["invalid-input"], "quota": ["quota-exceeded"],
    "meme": ["precondition-failed", "id-taken"],
  ]

  private func memberViolations(of problem: [String: JSON], _ code: String) -> [String] {
    var violations: [String] = []
    for (member, codes) in Self.codesOfMembers.sorted(by: { $0.key < $1.key })
    where problem[member] != nil && !codes.contains(code) {
      violations.append("a problem with the code \(code) has no \(member)")
    }
    if code == "invalid-input", problem["errors"] == nil { violations.append("errors is missing") }
    return violations
  }

  private static func isJSON(_ contentType: String) -> Bool {
    let name = essence(of: contentType)
    return name == "application/json" || name.hasSuffix("+json")
  }

  /// The media type without its parameters.
  private static func essence(of contentType: String) -> String {
    let end = contentType.firstIndex(of: ";") ?? contentType.endIndex
    return contentType[..<end].filter { !$0.isWhitespace }.lowercased()
  }

  /// A partial body may begin anywhere, but its length must match `Content-Range`.
  private static func partViolations(of body: [UInt8], _ fields: [String: [String]]) -> [String] {
    let range = fields["content-range"]?.first?.wholeMatch(of: /bytes (\d+)-(\d+)\/(\d+)/)
    guard let first = range.flatMap({ Int($0.1) }), let last = range.flatMap({ Int($0.2) }),
      let count = range.flatMap({ Int($0.3) }), first <= last, last < count
    else { return ["Content-Range is no range"] }
    return body.count == last - first + 1 ? [] : ["the body is not the part of Content-Range"]
  }

  /// A body that is not JSON is only checked for the signature of its media type.
  private static func signatureViolations(of body: [UInt8], _ contentType: String) -> [String] {
    if ["text/css", "text/javascript"].contains(essence(of: contentType)) {
      return String(validating: body, as: UTF8.self)?.isEmpty == false ? [] : ["no text"]
    }
    let signature: [UInt8] =
      switch essence(of: contentType) {
      case "image/jpeg": [0xFF, 0xD8, 0xFF]
      case "image/png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      case "font/otf": Array("OTTO".utf8)
      case "font/ttf": [0, 1, 0, 0]
      case "image/gif": Array("GIF8".utf8)
      case "image/webp": Array("RIFF".utf8)
      case "image/avif": Array("ftypavif".utf8)
      case "image/svg+xml": Array("<svg ".utf8)
      case "application/atom+xml": Array("<?xml ".utf8)
      case "text/html": Array("<!doctype html>".utf8)
      // The media type of metrics has the version of their format. The other text is robots.txt.
      case "text/plain": Array((contentType.contains("version=") ? "# HELP " : "User-agent: ").utf8)
      case "text/event-stream": Array("retry: ".utf8)
      case "application/zip": Array("PK".utf8) + [3, 4]
      case "application/vnd.sqlite3": Array("SQLite format 3\0".utf8)
      case "application/yaml": Array("openapi: ".utf8)
      default: []
      }
    guard !signature.isEmpty else { return ["\(contentType) has neither schema nor signature"] }
    // The first box of the file begins with its length.
    let start = essence(of: contentType) == "image/avif" ? body.dropFirst(4) : body[...]
    guard start.starts(with: signature) else {
      return ["the body does not begin as \(contentType) does"]
    }
    return []
  }
}
