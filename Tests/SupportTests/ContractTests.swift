import Support
import Testing
import YAML

@Suite struct ContractTests {
  private static let requestID = "8f3a1c5e7b9d2046"
  private let contract: Contract

  init() throws { contract = try Contract.ofThisRepository() }

  private func validate(
    _ method: String, _ path: String, _ status: Int, _ contentType: String?, _ body: String,
    headers: [(String, String)] = [("x-request-id", requestID)]
  ) -> [String] {
    contract.validate(
      method: method, pathTemplate: path, status: status, contentType: contentType,
      headers: headers, body: Array(body.utf8))
  }

  private func problem(_ status: Int, _ code: String, type: String? = nil) -> String {
    """
    {"type":"/problems/\(type ?? code)","title":"T","status":\(status),"detail":"D",\
    "instance":"\(Self.requestID)","code":"\(code)"}
    """
  }

  @Test func `the document begins with its OpenAPI version`() {
    #expect(contract.document.mapping?.first?.key == "openapi")
    #expect(contract.document["openapi"]?.string == "3.1.0")
  }

  @Test func `every example and default fits its schema`() throws {
    let examples = contract.examples
    #expect(examples.count > 40)
    let validator = SchemaValidator(document: contract.document, closingObjects: true)
    for example in examples {
      let found = validator.violations(
        of: JSON(example.value), against: example.schema, at: example.place)
      #expect(found == [])
    }
  }

  /// Responses may gain members. A request with an unknown member is rejected.
  @Test func `responses are open, and requests are closed`() throws {
    var (closed, requests) = ([String](), 0)
    for operation in contract.operations {
      let name = "\(operation.method) \(operation.pathTemplate)"
      let item = contract.document["paths"]?[operation.pathTemplate]
      let node = try #require(item?[operation.method.lowercased()])
      for answer in try #require(node["responses"]?.mapping) where isClosed(answer.value) {
        closed.append("\(name) \(answer.key)")
      }
      let content = node["requestBody"].map(contract.resolved)?["content"]?.mapping
      for media in content ?? YAMLMapping() {
        guard let schema = media.value["schema"].map(contract.resolved),
          schema["properties"] != nil
        else { continue }
        requests += 1
        #expect(schema["additionalProperties"]?.bool == false, "\(name) \(media.key)")
      }
    }
    #expect(closed == [] && requests > 30)
  }

  /// Returns whether an object in the node, or in a schema that it references, forbids additional members.
  private func isClosed(_ node: YAML) -> Bool {
    var (waiting, seen) = ([node], Set<YAML>())
    while let next = waiting.popLast() {
      if let items = next.sequence { waiting += items }
      guard let members = next.mapping else { continue }
      for key in ["additionalProperties", "unevaluatedProperties"]
      where members[key]?.bool == false { return true }
      for member in members where !["examples", "headers"].contains(member.key) {
        if member.key == "$ref", seen.insert(member.value).inserted {
          waiting.append(contract.resolved(next))
        } else {
          waiting.append(member.value)
        }
      }
    }
    return false
  }

  @Test func `schemas use only keywords that the validator knows`() {
    #expect(contract.unknownKeywords == [])
    #expect(contract.brokenReferences == [])
  }

  @Test func `every operation has a name, a description and a request id`() throws {
    let operations = contract.operations
    #expect(Set(operations.map(\.operationID)).count == operations.count)
    for operation in operations {
      let item = contract.document["paths"]?[operation.pathTemplate]
      let node = try #require(item?[operation.method.lowercased()])
      let name = try #require(node["operationId"]?.string)
      #expect(node["summary"]?.string?.isEmpty == false, "\(name)")
      #expect(node["description"]?.string?.isEmpty == false, "\(name)")
      for answer in try #require(node["responses"]?.mapping) {
        let status = try #require(Int(answer.key))
        let found = contract.validate(
          method: operation.method, pathTemplate: operation.pathTemplate, status: status,
          contentType: nil, headers: [], body: [])
        #expect(found.contains { $0.contains("X-Request-Id is missing") }, "\(name) \(status)")
      }
    }
  }

  @Test func `every path parameter is declared`() {
    for operation in contract.operations {
      let item = contract.document["paths"]?[operation.pathTemplate]
      let declared = [item, item?[operation.method.lowercased()]].flatMap { node in
        (node?["parameters"]?.sequence ?? []).map { contract.resolved($0) }
      }.filter { $0["in"] == .string("path") }.compactMap { $0["name"]?.string }
      let written = operation.pathTemplate.matches(of: /\{(\w+)\}/).map { String($0.1) }
      #expect(declared == written, "\(operation.method) \(operation.pathTemplate)")
    }
  }

  @Test func `valid responses are accepted`() {
    #expect(validate("GET", "/healthz", 200, "application/json", #"{"status":"ok"}"#) == [])
    #expect(validate("HEAD", "/healthz", 200, "application/json", "") == [])
    #expect(validate("GET", "/docs", 200, "text/html; charset=utf-8", "<!doctype html><p>") == [])
    #expect(validate("DELETE", "/memes/{id}", 204, nil, "") == [])
    #expect(
      validate(
        "GET", "/memes/{id}", 404, "application/problem+json", problem(404, "not-found")) == [])
  }

  @Test func `invalid responses are rejected`() {
    #expect(validate("GET", "/healthz", 200, "application/json", #"{"status":"no"}"#).count == 1)
    #expect(validate("GET", "/healthz", 200, "application/json", "{").count == 1)
    #expect(validate("GET", "/healthz", 200, "text/plain", #"{"status":"ok"}"#).count == 1)
    #expect(validate("GET", "/healthz", 200, nil, #"{"status":"ok"}"#).count == 1)
    #expect(validate("GET", "/healthz", 418, "application/json", "{}").count == 1)
    #expect(validate("HEAD", "/healthz", 200, "application/json", "{}").count == 1)
    #expect(validate("DELETE", "/memes/{id}", 204, nil, "x").count == 1)
    #expect(validate("GET", "/docs", 200, "text/html", "hello").count == 1)
    #expect(
      validate("GET", "/healthz", 200, "application/json", #"{"status":"ok"}"#, headers: []).count
        == 1)
    #expect(
      validate(
        "GET", "/healthz", 200, "application/json", #"{"status":"ok"}"#,
        headers: [("X-Request-Id", "no good")]
      ).count == 1)
  }

  @Test func `a problem must agree with its response`() {
    let type = "application/problem+json"
    #expect(validate("GET", "/memes/{id}", 404, type, problem(410, "gone")).count == 3)
    #expect(
      validate("GET", "/memes/{id}", 404, type, problem(404, "not-found", type: "gone")).count == 1)
    #expect(
      validate(
        "GET", "/memes/{id}", 404, type, problem(404, "not-found"),
        headers: [("X-Request-Id", "another-one")]
      ).count == 1)
    let missing = validate("DELETE", "/memes/{id}", 401, type, problem(401, "unauthorized"))
    #expect(missing.count == 1)
    #expect(missing.first?.contains("WWW-Authenticate is missing") == true)
  }

  @Test func `a request that matches no operation may get a generic problem`() {
    let type = "application/problem+json"
    #expect(validate("GET", "/nowhere", 404, type, problem(404, "not-found")) == [])
    let refused = problem(405, "method-not-allowed")
    #expect(validate("PUT", "/memes", 405, type, refused).count == 1)
    #expect(
      validate(
        "PUT", "/memes", 405, type, refused,
        headers: [("X-Request-Id", Self.requestID), ("Allow", "GET, HEAD, POST")]) == [])
    #expect(validate("GET", "/nowhere", 200, "application/json", "{}").count == 1)
  }
}
