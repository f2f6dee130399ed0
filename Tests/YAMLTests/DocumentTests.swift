import Testing
import YAML

@Suite struct DocumentTests {
  @Test func `a mapping keeps the order of its keys`() throws {
    let yaml = try YAML(parsing: "zebra: 1\napple: {b: 2, a: 3}\n404: x\n")
    #expect(yaml.mapping?.keys == ["zebra", "apple", "404"])
    #expect(yaml["apple"]?.mapping?.map(\.key) == ["b", "a"])
    #expect(yaml["404"] == .string("x"))
  }

  @Test func `mappings are equal in any order`() throws {
    let (left, right) = (try YAML(parsing: "{a: 1, b: 2}"), try YAML(parsing: "{b: 2, a: 1}"))
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(try left != YAML(parsing: "{a: 1, b: 3}"))
  }

  @Test func `subscripts reach into the tree, and return nil if nothing is there`() throws {
    let yaml = try YAML(parsing: "a:\n  - x\n  - b: 5\n")
    #expect(yaml["a"]?[1]?["b"]?.int == 5)
    #expect(yaml["a"]?.sequence?.count == 2)
    #expect(yaml["a"]?[2] == nil)
    #expect(yaml["a"]?["x"] == nil)
    #expect(yaml["b"] == nil)
    #expect(yaml[0] == nil)
  }

  @Test(arguments: [
    ("a: 1\nb: 2\na: 3", YAMLError(.duplicateKey("a"), line: 3, column: 1)),
    ("a: &x 1", YAMLError(.aliasNotSupported, line: 1, column: 4)),
    ("a: &x [1]", YAMLError(.aliasNotSupported, line: 1, column: 4)),
    ("a: *x", YAMLError(.aliasNotSupported, line: 1, column: 4)),
    ("*x : 1", YAMLError(.aliasNotSupported, line: 1, column: 1)),
    ("? [a]\n: 1", YAMLError(.keyIsNotScalar, line: 1, column: 3)),
    ("a: !ruby x", YAMLError(.tagNotSupported("!ruby"), line: 1, column: 4)),
    ("a: !set {x: 1}", YAMLError(.tagNotSupported("!set"), line: 1, column: 4)),
    ("a: 1\n---\nb: 2", YAMLError(.notOneDocument, line: 2, column: 1)),
    ("", YAMLError(.notOneDocument, line: 1, column: 1)),
    ("# nothing", YAMLError(.notOneDocument, line: 2, column: 1)),
  ])
  func `unsupported input is rejected with its position`(text: String, error: YAMLError) {
    #expect(throws: error) { try YAML(parsing: text) }
  }

  @Test(arguments: ["a: [1, 2", "a: 'x", "a: b: c", "\ta: 1", "a: \u{1}", "%"])
  func `broken syntax is reported as a syntax error`(text: String) throws {
    let error = try #require(throws: YAMLError.self) { try YAML(parsing: text) }
    guard case .syntax(let problem) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(!problem.isEmpty)
    #expect(error.line >= 1)
  }

  @Test func `bytes that are not UTF-8 are rejected`() {
    let bytes: [UInt8] = Array("a: ".utf8) + [0xFF, 0xC0]
    #expect(throws: YAMLError.self) { try bytes.withUnsafeBytes { try YAML(parsing: $0) } }
  }

  @Test func `depth, number of values and size are limited`() throws {
    var limits = YAMLLimits()
    (limits.depth, limits.nodes, limits.bytes) = (3, 5, 40)
    #expect(try YAML(parsing: "[[[1]]]", limits: limits)[0]?[0]?[0] == .int(1))
    #expect(throws: YAMLError(.tooDeep, line: 1, column: 5)) {
      try YAML(parsing: "[[[[1]]]]", limits: limits)
    }
    #expect(throws: YAMLError(.tooManyNodes, line: 1, column: 11)) {
      try YAML(parsing: "[1,2,3,4, 5]", limits: limits)
    }
    #expect(throws: YAMLError(.tooLarge, line: 1, column: 1)) {
      try YAML(parsing: String(repeating: "#", count: 41), limits: limits)
    }
  }

  @Test func `a very deep document is rejected without recursion`() throws {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: YAMLError(.tooDeep, line: 1, column: 66)) { try YAML(parsing: text) }
  }
}
