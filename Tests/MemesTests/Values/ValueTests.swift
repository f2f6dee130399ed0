import Foundation
import Memes
import Testing

struct ValueTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_795_248_300_123, "2026-11-21T08:05:00.123Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
  ])
  func `a time is RFC 3339 in UTC with milliseconds`(milliseconds: Int64, text: String) {
    #expect(Timestamp(millisecondsSince1970: milliseconds).description == text)
  }

  @Test(arguments: [
    (0, "19700101T000000Z", "Thu, 01 Jan 1970 00:00:00"),
    (-1, "19691231T235959Z", "Wed, 31 Dec 1969 23:59:59"),
    (951_782_400_000, "20000229T000000Z", "Tue, 29 Feb 2000 00:00:00"),
    (1_795_248_300_999, "20261121T080500Z", "Sat, 21 Nov 2026 08:05:00"),
  ])
  func `a time has the formats of file names and of mails`(
    milliseconds: Int64, basic: String, internet: String
  ) {
    let time = Timestamp(millisecondsSince1970: milliseconds)
    #expect(time.basicText == basic)
    #expect(time.internetText == internet)
  }

  @Test func `times agree with Foundation's over four centuries`() {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for day in stride(from: Int64(-73_000), to: 73_000, by: 97) {
      let milliseconds = day * 86_400_000 + 12_345_500
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      #expect(Timestamp(millisecondsSince1970: milliseconds).description == style.format(date))
    }
  }

  @Test func `a new id is a UUIDv7 that begins with the time`() {
    let time = Timestamp(millisecondsSince1970: 0x0123_4567_89AB)
    let id = MemeID.version7(at: time, random: UUID()).description
    #expect(id.hasPrefix("01234567-89ab-7"))
    #expect("89ab".contains(id.dropFirst(19).first ?? " "))
    #expect(MemeID(id)?.description == id)
  }

  @Test func `an id is read in either case and written in lower case`() {
    let id = MemeID("0123ABCD-89AB-4DEF-8123-456789ABCDEF")
    #expect(id?.description == "0123abcd-89ab-4def-8123-456789abcdef")
  }

  @Test(arguments: [
    "", "1", "0123abcd89ab4def8123456789abcdef", "0123abcd-89ab-4def-8123-456789abcdeg",
    "0123abcd-89ab-4def-8123-456789abcdef ", "{0123abcd-89ab-4def-8123-456789abcd}",
    "0123abcd-89AB-4def-812d-89AB-9abcdef",
  ])
  func `a text that is not a UUID is not an id`(text: String) {
    #expect(MemeID(text) == nil)
  }

  @Test func `a caption has up to 280 characters, however many bytes each has`() throws {
    let family = "👨‍👩‍👧‍👦"
    #expect(try CaptionText(String(repeating: family, count: 280)).text.count == 280)
    #expect(throws: InvalidValue.self) { try CaptionText(String(repeating: "e", count: 281)) }
  }

  @Test func `one character cannot have thousands of combining marks`() {
    let text = "e" + String(repeating: "\u{301}", count: 5000)
    #expect(text.count == 1)
    #expect(throws: InvalidValue.self) { try CaptionText(text) }
  }

  @Test func `NUL is rejected in captions and alt texts`() {
    #expect(throws: InvalidValue.self) { try CaptionText("a\0b") }
    #expect(throws: InvalidValue.self) { try AltText("a\0b") }
  }

  @Test func `every kind of line ending becomes one newline`() throws {
    #expect(try CaptionText("a\r\nb\rc\nd").text == "a\nb\nc\nd")
    #expect(try CaptionText("\r\r\n\n\r").text == "\n\n\n\n")
  }

  @Test func `text is kept as given`() throws {
    let text = "Ünïcode 🤷🏽‍♀️ שלום e\u{301}"
    #expect(Array(try CaptionText(text).text.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test func `an alt text is made from the captions, top first, on one line`() throws {
    let alt = AltText(describing: [try CaptionText("one\ndoes"), try CaptionText(" not ")])
    #expect(alt.text == "one does – not")
    #expect(!AltText(describing: [.empty, .empty]).text.isEmpty)
  }

  @Test func `the alt text of the longest captions is within its limit`() throws {
    let family = "👩🏽‍❤️‍💋‍👨🏽"
    for character in ["x", family] {
      let count = min(280, CaptionText.maximumBytes / character.utf8.count)
      let longest = try CaptionText(String(repeating: character, count: count))
      for number in [2, Recipe.maximumCaptions] {
        let captions = Array(repeating: longest, count: number)
        #expect(try AltText(AltText(describing: captions).text).text.hasPrefix(character))
      }
    }
  }

  @Test func `a color is read in either case and written in lower case`() throws {
    #expect(try Color("#FfCc00").description == "#ffcc00")
    #expect(try Color("#000001") == Color(red: 0, green: 0, blue: 1))
  }

  @Test(arguments: [
    "", "#", "ffcc00", "#ffcc0", "#ffcc000", "#ffccgg", "#ff cc0", "#ffcc0é", "red",
  ])
  func `a color is #rrggbb and nothing else`(text: String) {
    #expect(throws: InvalidValue.self) { try Color(text) }
  }

  @Test func `an operator reads a full disk and a busy database in words`() {
    #expect(MemeError.storageFull.reason == "the disk is full")
    #expect(MemeError.storageBusy.reason == "the database did not respond in time")
    #expect(MemeError.storageStarved(Cause()).reason == "no memory")
    #expect(MemeError.renderingStarved(Cause()).reason == "no memory")
  }

  private struct Cause: Error, CustomStringConvertible { let description = "no memory" }

  @Test func `numbers out of range are rejected`() {
    #expect(throws: InvalidValue.self) { try MaxEdge(pixels: 15) }
    #expect(throws: InvalidValue.self) { try MaxEdge(pixels: 16_385) }
    #expect(throws: InvalidValue.self) { try PageLimit(0) }
    #expect(throws: InvalidValue.self) { try PageLimit(101) }
  }
}
