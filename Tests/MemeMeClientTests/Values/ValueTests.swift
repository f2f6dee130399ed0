import Foundation
import Testing

@testable import MemeMeClient

struct ValueTests {
  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder.mememe.encode(value), as: UTF8.self)
  }

  private func read<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws
    -> Value
  {
    try JSONDecoder.mememe.decode(type, from: Data(text.utf8))
  }

  @Test func `times round-trip to the millisecond`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<5000 {
      let milliseconds = Int64.random(in: 0..<4_102_444_800_000, using: &generator)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let text = WireTime.text(date)
      #expect(text.count == 24)
      let read = try #require(WireTime.date(text))
      #expect((read.timeIntervalSince1970 * 1000).rounded() == Double(milliseconds), "\(text)")
      #expect(WireTime.text(read) == text)
    }
    #expect(WireTime.text(Date(timeIntervalSince1970: 0.1239)) == "1970-01-01T00:00:00.124Z")
    #expect(WireTime.date("2026-11-22T08:05:00Z") != nil)
    for text in ["", "2026-11-22", "soon", "2026-11-22T08:05:00.123"] {
      #expect(WireTime.date(text) == nil, "\(text)")
    }
  }

  @Test func `ids are written in lowercase`() throws {
    let id = Meme.ID()
    #expect(id.description == id.uuid.uuidString.lowercased())
    #expect(try json([id]) == "[\"\(id)\"]")
    #expect(try read("[\"\(id.uuid.uuidString)\"]", as: [Meme.ID].self) == [id])
    #expect(Meme.ID("not one") == nil)
    #expect(throws: DecodingError.self) { try read("[\"x\"]", as: [Meme.ID].self) }
  }

  @Test func `unknown enumeration values are preserved`() throws {
    let word: Meme.Visibility = try read("\"followers\"")
    #expect(word == "followers")
    #expect(try json(word) == "\"followers\"")
  }

  @Test func `unknown members are ignored`() throws {
    let cell: MemeCell = try read(
      """
      {"id": "01a1fd31-7c42-7d10-a2b3-9e8d7c6b5a40", "altText": "a", "colours": [1, {}],
       "thumbnail": {"url": "/x", "width": 1, "height": 2, "blurhash": "abc"}}
      """)
    #expect(cell.thumbnail == Thumbnail(url: "/x", width: 1, height: 2))
  }

  @Test func `an edit round-trips through a merge patch`() throws {
    var edit = MemeEdit(top: "a")
    edit.bottom = .reset
    edit.crop = .set(Crop(x: 1, y: 2, width: 3, height: 4))
    edit.captions = .set([])
    let text = try json(edit)
    #expect(
      text
        == #"{"bottom":null,"captions":[],"crop":{"height":4,"width":3,"x":1,"y":2},"top":"a"}"#)
    #expect(try read(text) == edit)
    #expect(try json(MemeEdit()) == "{}")
  }

  @Test func `a token is not printed`() {
    let token = Token("very-secret")
    #expect(!"\(token)".contains("very-secret"))
    #expect(!String(reflecting: token).contains("very-secret"))
    var text = ""
    dump(["token": token], to: &text)
    #expect(!text.contains("very-secret"))
    let client = MemeMeClient(URL(filePath: "/"), token: token)
    dump(client, to: &text)
    #expect(!text.contains("very-secret"))
  }

  @Test func `URLs are percent-encoded`() {
    var call = Call(.getUser, "a/../b?c=d#e f\u{0}é")
    #expect(call.target == "/users/a%2F..%2Fb%3Fc%3Dd%23e%20f%00%C3%A9")
    call = Call(.listMemes)
    call.query = ["q": "a&b=c+d", "author": nil, "sort": ""]
    #expect(call.target == "/memes?q=a%26b%3Dc%2Bd&sort=")
  }

  @Test func `pages are fetched to the end, and only when needed`() async throws {
    let asked = Asked()
    let pages = Pages<Int> { cursor in
      let page = cursor.flatMap { Int($0.text) } ?? 0
      await asked.count()
      return Page(
        items: page == 1 ? [] : [page * 10, page * 10 + 1],
        nextCursor: page < 2 ? Cursor(String(page + 1)) : nil)
    }
    var items: [Int] = []
    for try await item in pages { items.append(item) }
    #expect(items == [0, 1, 20, 21])
    #expect(await asked.times == 3)
    for try await _ in pages { break }
    #expect(await asked.times == 4)
  }

  private actor Asked {
    private(set) var times = 0
    func count() { times += 1 }
  }
}
