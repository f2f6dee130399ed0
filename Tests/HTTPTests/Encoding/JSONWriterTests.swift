import Bytes
import Foundation
import HTTP
import Testing

struct JSONWriterTests {
  @Test func `members keep the order in which they are written`() {
    var json = JSONWriter()
    json.object { json in
      json.member("b", 1)
      json.member("a", "x")
      json.array("list") { json in
        json.value(1)
        json.value(2)
      }
      json.object("empty") { _ in }
      json.null("none")
      json.member("yes", true)
      json.member("part", 0.11)
    }
    #expect(
      json.finish().utf8Text
        == #"{"b":1,"a":"x","list":[1,2],"empty":{},"none":null,"yes":true,"part":0.11}"#)
  }

  @Test func `any text survives a round trip`() throws {
    let scalars = (0...0x7FF).compactMap(UnicodeScalar.init).map(Character.init)
    let text = String(scalars) + "\u{2028}🤷🏽‍♀️\"\\/"
    var json = JSONWriter()
    json.array { $0.value(text) }
    let bytes = json.finish().withUnsafeBytes { Data($0) }
    let read = try JSONDecoder().decode([String].self, from: bytes)
    #expect(read.first.map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
  }

  @Test func `a text in pieces is escaped like any other`() {
    var json = JSONWriter()
    json.object { json in
      json.text("url") { json in
        json.piece("/a\"b")
        json.piece("/\u{1}\n\\")
        json.piece(-12)
        json.piece("")
      }
      json.name(escaping: "\"\n")
      json.value("🐈")
      json.text("none") { _ in }
    }
    #expect(
      json.finish().utf8Text
        == #"{"url":"/a\"b/\u0001\n\\-12","\"\n":"🐈","none":""}"#)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `numbers that JSON cannot express become null`(number: Double) {
    var json = JSONWriter()
    json.array { $0.value(number) }
    #expect(json.finish().utf8Text == "[null]")
  }
}
