import Foundation
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
    // A problem always has it, and the state of a server is not cached either.
    let isCached = status < 400 && path != "/healthz"
    let cacheControl = isCached ? [] : [("cache-control", "no-store")]
    return contract.validate(
      method: method, pathTemplate: path, status: status, contentType: contentType,
      headers: headers + cacheControl, body: Array(body.utf8))
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
    #expect(closed == [] && requests > 20)
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

  @Test func `objects in lists of a request have their members in the contract`() throws {
    var untyped: [String] = []
    for operation in contract.operations {
      let item = contract.document["paths"]?[operation.pathTemplate]
      guard let body = item?[operation.method.lowercased()]?["requestBody"] else { continue }
      if hasUntypedItems(body) { untyped.append("\(operation.method) \(operation.pathTemplate)") }
    }
    #expect(untyped == [])
  }

  /// Returns whether the items of a list in the node, or in a schema that it references, are objects of any kind.
  private func hasUntypedItems(_ node: YAML) -> Bool {
    var (waiting, seen) = ([node], Set<YAML>())
    while let next = waiting.popLast() {
      if let items = next.sequence { waiting += items }
      guard let members = next.mapping else { continue }
      if let item = next["items"].map(contract.resolved), item["type"]?.string == "object",
        item["properties"] == nil
      {
        return true
      }
      for member in members where member.key != "examples" {
        if member.key == "$ref", seen.insert(member.value).inserted {
          waiting.append(contract.resolved(next))
        } else {
          waiting.append(member.value)
        }
      }
    }
    return false
  }

  @Test func `the contract as JSON is the contract as YAML`() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../openapi/generated/openapi.json")
    let json = try JSON(parsing: Array(Data(contentsOf: file.standardized)))
    // After a change of a fragment, script/bundle writes all forms.
    #expect(json == JSON(contract.document))
  }

  @Test func `the form in OpenAPI 3_0 has the same operations, and no words of 3_1`() throws {
    let file = URL(filePath: #filePath)
      .appending(path: "../../../openapi/generated/openapi-3.0.yaml").standardized
    let text = try String(contentsOf: file, encoding: .utf8)
    let old = Contract(document: try YAML(parsing: text))
    #expect(old.document["openapi"]?.string == "3.0.3")
    #expect(old.operations == contract.operations)
    #expect(old.brokenReferences == [])
    let schemas = old.document["components"]?["schemas"]?.mapping?.keys
    #expect(schemas == contract.document["components"]?["schemas"]?.mapping?.keys)
    #expect(!text.contains("'null'") && !text.contains("const:"))
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
        if answer.key == "default" { continue }
        let status = try #require(Int(answer.key))
        let found = contract.validate(
          method: operation.method, pathTemplate: operation.pathTemplate, status: status,
          contentType: nil, headers: [], body: [])
        #expect(found.contains { $0.contains("X-Request-Id is missing") }, "\(name) \(status)")
      }
    }
  }

  /// RFC 6750 §3: the challenge names the scope.
  @Test func `a response about a missing scope has the challenge`() throws {
    var count = 0
    for operation in contract.operations {
      let item = contract.document["paths"]?[operation.pathTemplate]
      let node = try #require(item?[operation.method.lowercased()])
      for answer in try #require(node["responses"]?.mapping) {
        let response = contract.resolved(answer.value)
        let codes = response["x-problem-codes"]?.sequence?.compactMap(\.string) ?? []
        guard codes.contains("insufficient-scope") || answer.key == "default" else { continue }
        count += 1
        #expect(
          response["headers"]?["WWW-Authenticate"] != nil,
          "\(operation.method) \(operation.pathTemplate) \(answer.key)")
      }
    }
    #expect(count > contract.operations.count)
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
    #expect(
      validate(
        "GET", "/problems/{code}", 200, "text/html; charset=utf-8", "<!doctype html><p>") == [])
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
    #expect(validate("GET", "/problems/{code}", 200, "text/html", "hello").count == 1)
    #expect(
      validate("GET", "/healthz", 200, "application/json", #"{"status":"ok"}"#, headers: []).count
        == 1)
    #expect(
      validate(
        "GET", "/healthz", 200, "application/json", #"{"status":"ok"}"#,
        headers: [("X-Request-Id", "no good")]
      ).count == 1)
  }

  @Test func `a response has Cache-Control if the contract says so, and only then`() {
    func validate(_ path: String, _ status: Int, _ cacheControl: String?) -> [String] {
      contract.validate(
        method: "GET", pathTemplate: path, status: status, contentType: "text/plain",
        headers: [("X-Request-Id", Self.requestID)]
          + (cacheControl.map { [("Cache-Control", $0)] } ?? []),
        body: Array("User-agent: *".utf8)
      ).filter { $0.contains("Cache-Control") }
    }
    #expect(validate("/robots.txt", 200, "public, no-cache") == [])
    #expect(validate("/robots.txt", 200, nil).count == 1)
    #expect(validate("/problems/{code}", 200, nil) == [])
    #expect(validate("/problems/{code}", 200, "no-store").count == 1)
    #expect(validate("/memes/{id}", 404, nil).count == 1)
    #expect(validate("/healthz", 500, nil).count == 1)
  }

  @Test func `a problem must agree with its response`() {
    let type = "application/problem+json"
    #expect(validate("GET", "/memes/{id}", 404, type, problem(410, "gone")).count == 2)
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

  @Test func `the default response stands for the problems of the table, and for no others`() {
    let type = "application/problem+json"
    for (status, code) in [
      (400, "malformed-request"), (408, "request-timeout"), (413, "content-too-large"),
      (414, "uri-too-long"), (417, "expectation-failed"), (431, "header-too-large"),
      (500, "internal-error"),
    ] {
      #expect(validate("GET", "/healthz", status, type, problem(status, code)) == [])
      #expect(validate("GET", "/healthz", status, type, problem(status, "gone")).count == 1)
    }
    // This operation ignores credentials, has no cursor, and changes nothing.
    for (status, code) in [
      (400, "invalid-cursor"), (401, "unauthorized"), (403, "forbidden"), (404, "not-found"),
      (412, "precondition-failed"), (415, "unsupported-media-type"), (507, "storage-full"),
    ] {
      #expect(validate("GET", "/healthz", status, type, problem(status, code)).count == 1)
    }
    let busy = validate("GET", "/healthz", 503, type, problem(503, "overloaded"))
    #expect(busy.count == 1 && busy.first?.contains("Retry-After is missing") == true)
    #expect(validate("GET", "/memes", 400, type, problem(400, "invalid-cursor")) == [])
    #expect(validate("GET", "/memes", 412, type, problem(412, "precondition-failed")) == [])
    #expect(validate("PUT", "/users/me/password", 507, type, problem(507, "storage-full")) == [])
  }

  @Test func `members of one kind of problem are violations in others`() {
    let type = "application/problem+json"
    func with(_ member: String, _ problem: String) -> String {
      String(problem.dropLast()) + ",\(member)}"
    }
    let errors = #""errors":[{"field":"q","code":"missing","message":"M"}]"#
    let invalid = problem(422, "invalid-input")
    #expect(validate("GET", "/memes", 422, type, with(errors, invalid)) == [])
    #expect(validate("GET", "/memes", 422, type, invalid).count == 1)
    let missing = problem(404, "not-found")
    #expect(validate("GET", "/memes", 404, type, with(errors, missing)).count == 1)
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
