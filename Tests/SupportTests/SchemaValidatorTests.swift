import Support
import Testing
import YAML

@Suite struct SchemaValidatorTests {
  private func violations(_ json: String, _ schema: String) throws -> [String] {
    let schema = try YAML(parsing: schema)
    return SchemaValidator(document: schema).violations(
      of: try JSON(parsing: Array(json.utf8)), against: schema)
  }

  @Test(arguments: [
    ("1", "type: integer"), ("1.0", "type: integer"), ("1.5", "type: number"),
    ("null", "type: [string, 'null']"), ("true", "type: boolean"),
    ("5", "{minimum: 5, maximum: 5}"),
    (#""ab""#, "{minLength: 2, maxLength: 2}"), (#""😀""#, "maxLength: 1"),
    (#""a1""#, "pattern: '[0-9]'"), (#""x""#, "minimum: 5"), ("[1,2]", "{items: {type: integer}}"),
    ("[]", "maxItems: 0"),
    (#"{"a":1}"#, "{properties: {a: {const: 1}}, additionalProperties: false}"),
    (
      #"{"a":1,"b":2}"#,
      "{allOf: [{properties: {a: true}}], properties: {b: true}, unevaluatedProperties: false}"
    ),
    ("2", "oneOf: [{const: 2}, {const: 3}]"), ("3", "anyOf: [{type: integer}, {const: 3}]"),
    (#""2026-02-28T23:59:60.123Z""#, "format: date-time"),
    (#""01a1fd23-205b-7c4e-9b1d-3f6a8c2e5d70""#, "format: uuid"),
    (#""/memes?view=table#a%20b""#, "format: uri-reference"), ("{}", "description: anything"),
    ("5", "{anyOf: [{$ref: '#/properties/a~1b'}], properties: {a/b: {type: integer}}}"),
  ])
  func `a valid value has no violations`(json: String, schema: String) throws {
    #expect(try violations(json, schema) == [])
  }

  @Test(arguments: [
    ("1.5", "type: integer"), ("true", "type: integer"), ("1", "type: boolean"),
    ("0", "type: [string, 'null']"), ("4", "minimum: 5"), ("6", "maximum: 5"),
    (#""a""#, "minLength: 2"), (#""abc""#, "maxLength: 2"), (#""ab""#, "pattern: '^[0-9]+$'"),
    (#"[1,"2"]"#, "{items: {type: integer}}"), ("[1]", "maxItems: 0"), ("[]", "minItems: 1"),
    ("{}", "required: [a]"), (#"{"b":1}"#, "{properties: {a: true}, additionalProperties: false}"),
    (#"{"a":2}"#, "{properties: {a: {const: 1}}}"), ("null", "enum: [ok]"), ("1", "const: '1'"),
    (
      #"{"a":1,"c":2}"#,
      "{allOf: [{properties: {a: true}}], properties: {b: true}, unevaluatedProperties: false}"
    ),
    ("2", "oneOf: [{const: 2}, {type: integer}]"), ("4", "anyOf: [{const: 2}, {const: 3}]"),
    ("4", "allOf: [{const: 4}, {const: 3}]"), ("1", "false"),
    (#""2026-02-29T00:00:00Z""#, "format: date-time"),
    (#""2026-02-28 00:00:00Z""#, "format: date-time"),
    (#""01a1fd23205b7c4e9b1d3f6a8c2e5d70""#, "format: uuid"), (#""a b""#, "format: uri-reference"),
    (#""%zz""#, "format: uri-reference"),
  ])
  func `an invalid value has one violation`(json: String, schema: String) throws {
    #expect(try violations(json, schema).count == 1)
  }

  @Test(arguments: [
    "exclusiveMinimum: 1", "nullable: true", "format: email", "type: text", "pattern: '('",
    "$ref: '#/nowhere'", "$ref: other.yaml", "required: a", "minimum: x",
  ])
  func `an unknown rule is a violation and never skipped`(schema: String) throws {
    #expect(try violations(#""5""#, schema).count == 1)
  }

  @Test func `a violation names its place`() throws {
    let found = try violations(
      #"{"items":[{"n":1},{"n":"x"}]}"#,
      "properties: {items: {items: {properties: {n: {type: integer}}}}}")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("$.items[1].n:") == true)
  }

  @Test(arguments: [
    (#"{"a":1}"#, "{properties: {a: true}}", []),
    (#"{"a":1,"b":2}"#, "{properties: {a: true}}", ["$.b"]),
    (#"{"a":1,"b":2}"#, "{allOf: [{properties: {a: true}}], properties: {b: true}}", []),
    (#"{"a":{"c":1}}"#, "{properties: {a: {properties: {b: true}}}}", ["$.a.c"]),
    (#"[{"a":1}]"#, "{items: {properties: {b: true}}}", ["$[0].a"]),
    (#"{"a":1,"c":3}"#, "{anyOf: [{properties: {a: true}}, {properties: {b: true}}]}", ["$.c"]),
    (#"{"any":1}"#, "{type: object}", []),
    (#"{"any":1}"#, "{additionalProperties: {type: integer}}", []),
  ])
  func `closed validation accepts the members of all schemas of a place`(
    json: String, schema: String, places: [String]
  ) throws {
    let schema = try YAML(parsing: schema)
    let value = try JSON(parsing: Array(json.utf8))
    let found = SchemaValidator(document: schema, closingObjects: true)
      .violations(of: value, against: schema)
    #expect(found == places.map { "\($0): the contract does not have it" })
    #expect(SchemaValidator(document: schema).violations(of: value, against: schema) == [])
  }
}
