import Memes
import SQL
import SQLite
import Testing

@testable import Storage

@Suite struct StoredFitTests {
  @Test func `a stored fit is read back, whatever glyphs are missing`() throws {
    let controls = (0..<0x20).compactMap { UnicodeScalar($0).map { String($0) } }
    let fits = [
      CaptionFit(
        position: .top, fontSize: 71.3, lines: 2, shrunk: true, truncated: false,
        missingGlyphs: controls + ["\"", "\\", "/", "\u{7F}", "é", "\u{2028}", "\u{E000}", "🤷🏽‍♀️", ""]),
      CaptionFit(
        position: .bottom, fontSize: 1e-7, lines: 0, shrunk: false, truncated: true,
        missingGlyphs: []),
      CaptionFit(
        position: .bottom, fontSize: 1.25e300, lines: .max, shrunk: false, truncated: false,
        missingGlyphs: ["a"]),
      CaptionFit(
        position: .box(0), fontSize: 1, lines: 1, shrunk: false, truncated: false, missingGlyphs: []
      ),
      CaptionFit(
        position: .box(19), fontSize: 1, lines: 1, shrunk: true, truncated: true, missingGlyphs: []),
    ]
    for count in 0...fits.count {
      let stored = try StoredFit.encode(Array(fits.prefix(count)))
      #expect(try StoredFitReader.read(stored) == Array(fits.prefix(count)))
    }
  }

  @Test func `members may be in any order, and characters may be escaped`() throws {
    let stored = #"""
      [{"missingGlyphs":["\u00e9\"\/\u2028"],"truncated":true,"lines":3,"shrunk":false,"fontSize":-0.5E+1,"position":"top"}]
      """#
    let fit = CaptionFit(
      position: .top, fontSize: -5, lines: 3, shrunk: false, truncated: true,
      missingGlyphs: ["é\"/\u{2028}"])
    #expect(try StoredFitReader.read(stored) == [fit])
  }

  @Test(arguments: [
    "", "x", "no json", "null", "{}", "[", "]", "[,]", "[]]", "[{}]", "[[]]", "[1]",
    whole.replacing("]}]", with: "]}"), whole.replacing("]}]", with: "]"), whole + " ", " " + whole,
    whole.replacing("]}]", with: "]},]"), whole.replacing("]}]", with: "],}]"),
    // Each member missing, unknown, or of another type.
    whole.replacing("\"lines\":1,", with: ""),
    whole.replacing("\"position\":\"top\",", with: ""),
    whole.replacing("\"lines\"", with: "\"line\""), whole.replacing("\"lines\"", with: "\"rows\""),
    whole.replacing("\"top\"", with: "\"middle\""), whole.replacing("\"top\"", with: "1"),
    whole.replacing("\"top\"", with: "\"captions\""),
    whole.replacing("\"top\"", with: "\"captions[]\""),
    whole.replacing("\"top\"", with: "\"captions[-1]\""),
    whole.replacing("\"top\"", with: "\"captions[1.5]\""),
    whole.replacing("\"top\"", with: "\"captions[1\""),
    whole.replacing("\"top\"", with: "\"captions[9223372036854775808]\""),
    whole.replacing("true", with: "1"), whole.replacing("true", with: "truer"),
    whole.replacing(":1,", with: ":1.5,"), whole.replacing(":1,", with: ":9223372036854775808,"),
    whole.replacing(":1,", with: ":\"1\","), whole.replacing(":1,", with: ":,"),
    // Invalid numbers, and a number that is too large.
    whole.replacing("42.5", with: "NaN"), whole.replacing("42.5", with: "1e999"),
    whole.replacing("42.5", with: "042.5"), whole.replacing("42.5", with: "+42.5"),
    whole.replacing("42.5", with: ".5"), whole.replacing("42.5", with: "42."),
    whole.replacing("42.5", with: "4e"), whole.replacing("42.5", with: "-"),
    whole.replacing("42.5", with: "0x2A"), whole.replacing("42.5", with: "null"),
    // Strings without an end, or with invalid contents.
    whole.replacing("\"g\"", with: "\"g"), whole.replacing("\"g\"", with: "g"),
    whole.replacing("\"g\"", with: "\"\\x\""), whole.replacing("\"g\"", with: "\"\\u12\""),
    whole.replacing("\"g\"", with: "\"\\ud83e\\udd37\""),
    whole.replacing("\"g\"", with: "\"\n\""), whole.replacing("\"g\"", with: "\"\\"),
    String(repeating: "[", count: 100_000),
  ])
  func `anything else is an error`(stored: String) {
    #expect(stored != whole)
    do {
      let fits = try StoredFitReader.read(stored)
      Issue.record("\(stored) was read as \(fits)")
    } catch {
      #expect((error as? DatabaseError)?.code == .mismatch)
    }
  }

  @Test func `every prefix of a stored fit is an error`() {
    for length in 0..<whole.utf8.count {
      #expect(throws: DatabaseError.self) {
        try StoredFitReader.read(String(whole.prefix(length)))
      }
    }
  }

  @Test func `the fit that the other tests modify is valid`() throws {
    #expect(try StoredFitReader.read(whole).count == 1)
  }
}

private let whole = #"""
  [{"position":"top","fontSize":42.5,"lines":1,"shrunk":true,"truncated":false,"missingGlyphs":["g"]}]
  """#
