import Testing
import YAML

@Suite struct ScalarTests {
  @Test(arguments: [
    ("", YAML.null), ("~", .null), ("null", .null), ("true", .bool(true)), ("FALSE", .bool(false)),
    ("0", .int(0)), ("-12", .int(-12)), ("+7", .int(7)), ("007", .int(7)), ("0o17", .int(15)),
    ("0xfF", .int(255)), ("1.5", .float(1.5)), ("-.5", .float(-0.5)), ("1.", .float(1)),
    ("6e-2", .float(0.06)), (".inf", .float(.infinity)), ("-.INF", .float(-.infinity)),
  ])
  func `a plain scalar has its meaning in the core schema`(text: String, value: YAML) throws {
    #expect(try YAML(parsing: "- \(text)")[0] == value)
  }

  @Test(arguments: [
    "yes", "no", "on", "3.1.0", "2026-11-21", "1_000", ".", "+", "e5", "1e", "0x", "0o8", "nulL",
    "12:30", "infinity", "nan", "0x1p3",
  ])
  func `any other plain scalar is a string`(text: String) throws {
    #expect(try YAML(parsing: "- \(text)")[0] == .string(text))
  }

  @Test func `not a number is a float`() throws {
    #expect(try YAML(parsing: "- .nan")[0]?.double?.isNaN == true)
  }

  @Test(arguments: ["'true'", "\"12\"", "!!str null"])
  func `quoted and tagged scalars are strings`(text: String) throws {
    #expect(try YAML(parsing: "- \(text)")[0]?.string != nil)
  }

  @Test func `block scalars keep or fold their lines`() throws {
    let yaml = try YAML(parsing: "kept: |\n  a\n  b\nfolded: >-\n  a\n  b\n")
    #expect(yaml["kept"]?.string == "a\nb\n")
    #expect(yaml["folded"]?.string == "a b")
  }

  @Test func `text in any script is kept, and so is an escaped NUL`() throws {
    #expect(try YAML(parsing: "- äß 😀 עברית")[0]?.string == "äß 😀 עברית")
    #expect(try YAML(parsing: #"- "a\0b""#)[0]?.string == "a\0b")
  }

  @Test func `an integer that does not fit is rejected, not rounded`() throws {
    #expect(throws: YAMLError(.invalidScalar("9223372036854775808"), line: 2, column: 4)) {
      try YAML(parsing: "\na: 9223372036854775808")
    }
  }
}
