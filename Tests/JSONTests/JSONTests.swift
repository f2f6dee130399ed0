import Bytes
import JSON
import Testing

struct JSONTests {
  private func read(_ text: String) throws(JSONError) -> JSON {
    try JSON(parsing: Bytes(Array(text.utf8)))
  }

  @Test func `every kind of value is parsed`() throws {
    let text = #"""
      {"null": null, "yes": true, "no": false, "number": -0.25e1, "text": "a\u00e9\n\ud83d\ude00", "array": [1, []], "object": {}}
      """#
    #expect(
      try read(text)
        == .object([
          "null": .null, "yes": .bool(true), "no": .bool(false), "number": .number(-2.5),
          "text": .text("aé\n😀"), "array": .array([.number(1), .array([])]), "object": .object([:]),
        ]))
  }

  @Test(arguments: ["null", "true", "0", "\"\"", " [] "])
  func `any value may be the whole text`(_ text: String) throws {
    _ = try read(text)
  }

  @Test func `a NUL is a character like any other`() throws {
    #expect(try read(#""a\u0000b""#) == .text("a\0b"))
  }

  @Test func `numbers are the nearest doubles`() throws {
    #expect(try read("0.1") == .number(0.1))
    #expect(try read("0.30000000000000004") == .number(0.30000000000000004))
    #expect(try read("9007199254740993") == .number(9_007_199_254_740_992))
    #expect(try read("123456789012345678901234567890") == .number(1.2345678901234568e29))
  }

  @Test(
    arguments: [
      "", " ", "{", "[1,]", "{a: 1}", "'a'", "01", "+1", ".5", "1.", "NaN", "Infinity", "1e999",
      "[1] 2",
      "\u{FEFF}1", #""\ud800""#, "\"\t\"", #"{"a": 1, "a": 2}"#, "{\"é\": 1, \"e\u{301}\": 2}",
    ])
  func `invalid JSON is rejected`(_ text: String) {
    #expect(throws: JSONError.self) { try read(text) }
  }

  @Test func `bytes that are not UTF-8 are rejected`() {
    #expect(throws: JSONError.self) {
      try JSON(parsing: Bytes([UInt8(ascii: "\""), 0xFF, UInt8(ascii: "\"")]))
    }
  }

  @Test func `the number of values is limited whatever their kind`() throws {
    let most = JSON.maximumSeparators
    func values(_ value: String, _ count: Int) -> String {
      "[" + Array(repeating: value, count: count).joined(separator: ",") + "]"
    }
    _ = try read(values("0", most))
    for text in [values("0", most + 1), values("{}", most / 2 + 1), values("[]", most / 2 + 1)] {
      #expect(throws: JSONError.self) { try read(text) }
    }
  }

  @Test func `depth is limited`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try read(nested(JSON.maximumDepth))
    for depth in [JSON.maximumDepth + 1, 2_000, 100_000] {
      #expect(throws: JSONError.self) { try read(nested(depth)) }
    }
  }
}
