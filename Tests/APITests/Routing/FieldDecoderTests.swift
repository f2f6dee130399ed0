import Bytes
import HTTP
import Memes
import Testing

@testable import API

/// Reading the same fields from a form and from JSON.
struct FieldDecoderTests {
  private static let known: Set<String> = ["text", "whole", "fraction", "boxes"]

  private func reader(_ json: String) throws(Problem) -> FieldDecoder {
    try FieldDecoder(body: Bytes(json), known: Self.known)
  }

  private func errors(_ fields: FieldDecoder) -> [String: String] {
    do throws(Problem) {
      try fields.finish()
      return [:]
    } catch {
      return Dictionary(error.fields.map { ($0.field, $0.code) }) { "\($0), \($1)" }
    }
  }

  @Test func `values are read from JSON and forms alike`() throws {
    var json = try reader(#"{"text": "a\nb", "whole": 12, "fraction": 0.2}"#)
    var form = FieldDecoder([
      ("text", .text("a\nb")), ("whole", .bytes(Bytes("12"))), ("fraction", .text("0.2")),
    ])
    func check(_ fields: inout FieldDecoder) throws {
      #expect(fields.text("text") { $0 } == "a\nb")
      #expect(fields.number("whole") { $0 } == 12)
      #expect(fields.fraction("fraction", in: 0...1) == 0.2)
      try fields.finish()
    }
    try check(&json)
    try check(&form)
  }

  @Test(arguments: ["1.0", "1e0", "10e-1"])
  func `an integer is read in any JSON notation`(_ number: String) throws {
    var fields = try reader(#"{"whole": \#(number)}"#)
    #expect(fields.number("whole") { $0 } == 1)
    try fields.finish()
  }

  @Test(arguments: ["1.5", "1e300", "true", "\"12\"", "[1]", "{}"])
  func `a value that is not an integer is rejected`(_ value: String) throws {
    var fields = try reader(#"{"whole": \#(value)}"#)
    #expect(fields.number("whole") { $0 } == nil)
    #expect(errors(fields) == ["whole": "not-a-number"])
  }

  @Test(arguments: [("true", true), ("True", true), ("false", false), ("False", false)])
  func `a form and a query can have a Boolean of Python`(_ word: String, _ value: Bool) throws {
    var form = FieldDecoder([("flag", .bytes(Bytes(word)))])
    #expect(form.truthOrFlag("flag") == value)
    try form.finish()
    var query = FieldDecoder([("flag", .text(word))])
    #expect(query.isTrue("flag") == value)
    try query.finish()
  }

  @Test(arguments: ["", "TRUE", "1", "yes", "true "])
  func `a word that is not a Boolean is rejected`(_ word: String) {
    var fields = FieldDecoder([("flag", .text(word))])
    #expect(fields.truth("flag") == nil)
    #expect(errors(fields) == ["flag": "not-allowed"])
  }

  @Test(arguments: ["1", "false", "[]", "{}"])
  func `a value that is not a string is rejected`(_ value: String) throws {
    var fields = try reader(#"{"text": \#(value)}"#)
    #expect(fields.text("text") { $0 } == nil)
    #expect(errors(fields) == ["text": "not-a-text"])
  }

  @Test func `null differs from an omitted member`() throws {
    var fields = try reader(#"{"text": null}"#)
    #expect(fields.isNull("text") && fields.has("text"))
    #expect(!fields.isNull("whole") && !fields.has("whole"))
    #expect(fields.text("text") { $0 } == nil)
    try fields.finish()
  }

  @Test(arguments: [#"{"boxes": [{"text": "a"}, {"text": "b"}]}"#])
  func `objects in an array are read one by one`(_ json: String) throws {
    var fields = try reader(json)
    let texts = fields.objects("boxes", most: 2, known: ["text"]) { $0.text("text") { $0 } }
    #expect(texts == ["a", "b"])
    try fields.finish()
    var form = FieldDecoder([("boxes", .text(#"[{"text": "a"}, {"text": "b"}]"#))])
    #expect(
      form.objects("boxes", most: 2, known: ["text"]) { $0.text("text") { $0 } } == ["a", "b"])
    try form.finish()
  }

  @Test func `each invalid member of each object is named by its path`() throws {
    var fields = try reader(#"{"boxes": [{"text": 1}, 2, {"text": "c", "colour": 3}], "more": 4}"#)
    #expect(fields.objects("boxes", most: 3, known: ["text"]) { $0.text("text") { $0 } } == nil)
    #expect(
      errors(fields) == [
        "boxes[0].text": "not-a-text", "boxes[1]": "not-an-object",
        "boxes[2].colour": "unknown-field", "more": "unknown-field",
      ])
  }

  @Test(arguments: [("[{}, {}, {}]", "too-many"), ("{}", "not-an-array"), ("7", "not-an-array")])
  func `an invalid array is rejected`(_ value: String, _ code: String) throws {
    var fields = try reader(#"{"boxes": \#(value)}"#)
    #expect(fields.objects("boxes", most: 2, known: []) { _ in true } == nil)
    #expect(errors(fields) == ["boxes": code])
  }

  @Test func `a form field with invalid JSON is rejected`() {
    var fields = FieldDecoder([("boxes", .text("[{}"))])
    #expect(fields.objects("boxes", most: 2, known: []) { _ in true } == nil)
    #expect(errors(fields) == ["boxes": "not-json"])
  }

  @Test(arguments: ["", "{", "[]", "null", "\"text\"", #"{"text": "a", "text": "b"}"#])
  func `a body that is not a JSON object is malformed`(_ body: String) {
    #expect(throws: Problem.self) { try reader(body) }
    do throws(Problem) { _ = try reader(body) } catch { #expect(error.kind == .malformedRequest) }
  }

  @Test func `the number of named unknown members is limited`() throws {
    let members = (0..<1000).map { "\"m\($0)\": 0" }.joined(separator: ",")
    #expect(errors(try reader("{\(members)}")).count == 32)
  }
}
