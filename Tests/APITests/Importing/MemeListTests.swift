import Bytes
import Memes
import Testing

@testable import API

/// Lists of memes, as `mememe import` reads them.
struct MemeListTests {
  private let rules = MemeList.Rules(
    faces: [FontFace(id: .impact, family: "Impact", installed: "Impact")],
    formats: OutputFormat.allCases, authors: .named, now: .now())

  private func list(_ text: String, _ kind: MemeList.Kind = .csv) throws -> MemeList {
    try MemeList(Bytes(text), kind)
  }

  private func read(
    _ list: MemeList, _ authors: ImportAuthors = .named
  ) -> [Result<ImportRow, RowFault>] {
    let rules = MemeList.Rules(
      faces: rules.faces, formats: rules.formats, authors: authors, now: .now())
    return list.rows.map { row in Result { () throws(RowFault) in try list.read(row, rules) } }
  }

  private func faults(_ text: String, _ kind: MemeList.Kind = .csv) throws -> [String] {
    read(try list(text, kind)).flatMap { row in
      guard case .failure(let fault) = row else { return [] as [String] }
      return fault.reasons.map { $0.field ?? "row" }
    }
  }

  @Test func `a row has the fields of an upload in every list format`() throws {
    let id = "0192a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
    let lists = [
      try list(
        #"""
        \#u{FEFF}file,top,bottom,altText,author,createdAt,visibility,id,captions,font,fill,size,case,crop,maxEdge,format
        a/é.jpg,"one
        ""two""",,words,Ada,2020-02-29T12:00:00+01:00,friends,\#(id),,impact,#FF0000,0.2,typed,"1,2,3,4",640,png
        b.png,,,,,,,,"[{""text"": ""x,y"", ""x"": 0, ""y"": 0.5, ""width"": 1, ""height"": 0.5}]"
        """#),
      try list(
        """
        [{"file": "a/é.jpg", "top": "one\\n\\"two\\"", "altText": "words", "author": "Ada", "createdAt":
          "2020-02-29T11:00:00.000Z", "visibility": "friends", "id": "\(id)", "captions": [], "font": "impact",
          "fill": "#ff0000", "size": 0.2, "case": "typed", "crop": {"x": 1, "y": 2, "width": 3, "height": 4},
          "maxEdge": 640, "format": "png", "bottom": null},
         {"file": "b.png", "captions": [{"text": "x,y", "x": 0, "y": 0.5, "width": 1, "height": 0.5}]}]
        """, .json),
    ]
    for list in lists {
      let rows = try read(list).map { try $0.get() }
      #expect(rows.map(\.file) == ["a/é.jpg", "b.png"])
      #expect(rows.map(\.author?.text) == ["ada", nil])
      #expect(rows.map(\.createdAt?.description) == ["2020-02-29T11:00:00.000Z", nil])
      #expect(rows[0].draft.id?.description == id)
      #expect(rows[0].draft.recipe.top.text == "one\n\"two\"")
      #expect(rows[0].draft.recipe.bottom == .empty)
      #expect(rows[0].draft.recipe.choices.fill == (try Color("#ff0000")))
      #expect(rows[0].draft.recipe.crop == (try Crop("1,2,3,4")))
      #expect(rows[0].draft.recipe.maxEdge?.pixels == 640)
      #expect(rows[0].draft.format == .png)
      #expect(rows[0].draft.visibility == .friends)
      #expect(rows[1].draft.altText == nil)
      #expect(rows[1].draft.recipe.captions.map(\.text.text) == ["x,y"])
    }
  }

  @Test func `every invalid field of a row is named`() throws {
    let long = String(repeating: "x", count: 281)
    #expect(
      try Set(
        faults(
          """
          file,top,fill,size,crop,captions,author,createdAt,visibility,id,layout,font
          ,\(long),red,2,1,[,a b,yesterday,all,1,wide,comic
          """)) == [
          "file", "top", "fill", "size", "crop", "captions", "author", "createdAt", "visibility",
          "id",
          "layout", "font",
        ])
    #expect(
      try Set(
        faults(
          #"{"file": 1, "top": {}, "captions": [{"text": "a", "tilt": 1}], "image": "a", "wat": 1}"#,
          .jsonLines)) == [
          "file", "top", "captions[0].x", "captions[0].y", "captions[0].width",
          "captions[0].height",
          "captions[0].tilt", "image", "wat",
        ])
    #expect(try faults("file,visibility\na.jpg,private\n") == ["visibility"])
    #expect(
      try faults("file,createdAt\na,1969-12-31T23:59:59Z\na,2999-01-01T00:00:00Z") == [
        "createdAt", "createdAt",
      ])
    #expect(try faults("file,top\na.jpg,x,y\na.jpg,\"x\"y\nb.jpg,\"x\n") == ["row", "row", "row"])
    #expect(try faults("7\n[]\n{\"file\": \"a\"\n", .jsonLines) == ["row", "row", "row"])
    #expect(try faults("[{\"file\": \"a\"}, {\"file\": \"b\"}, nope]", .json) == ["row"])
    #expect(try faults("[{} {}, [1, 2], {\"file\": \"a\"}]", .json) == ["row", "row"])
    let large = String(repeating: "x", count: MemeList.maximumRowBytes)
    #expect(try faults("file,top\na.jpg,\(large)\nb.jpg,\n") == ["row"])
  }

  @Test func `the importer can override the authors`() throws {
    let rows = try list("file,author\na.jpg,ada\nb.jpg,\n")
    let bob = try Username("bob")
    #expect(try read(rows).map { try $0.get().author?.text } == ["ada", nil])
    #expect(try read(rows, .everyRow(bob)).map { try $0.get().author } == [bob, bob])
    #expect(try read(rows, .anonymous).map { try $0.get().author } == [nil, nil])
    // A private meme must not become an anonymous one that everyone sees.
    let hidden = try list("file,author,visibility\na.jpg,ada,private\n")
    guard case .failure(let fault) = read(hidden, .anonymous)[0] else {
      Issue.record("it is nobody's")
      return
    }
    #expect(fault.reasons.map(\.field) == ["visibility"])
  }

  @Test func `rows are sorted by time and keep their line numbers`() throws {
    let csv = try list(
      "file,top,createdAt\na,\"1\n2\",2021-01-01T00:00:00Z\n\nb,,\nc,,2020-01-01T00:00:00Z\r\nd,,nonsense\ne,,2021-01-01T00:00:00Z"
    )
    #expect(csv.rows.map { csv.file(of: $0) } == ["c", "a", "e", "b", "d"])
    #expect(csv.rows.map(\.line) == [6, 2, 8, 5, 7].map { $0 })
    let json = try list(
      "[\n{\"file\": \"b\"},\n\n{\"file\": \"a\", \"createdAt\": \"2020-01-01T00:00:00Z\"}]", .json)
    #expect(json.rows.map(\.line) == [4, 2])
  }

  @Test(
    arguments: [
      ("", "empty"), ("top,bottom\na,b\n", "including file"), ("file;top\na;b\n", "commas"),
      ("file,caption\n", "caption"), ("file,file\n", "twice"), ("file,image\n", "image"),
      ("\u{FFFE}f", "including file"), ("\"file", "including file"),
    ])
  func `an invalid first line is rejected with the reason`(text: String, reason: String) {
    let error = #expect(throws: MemeList.Invalid.self) { try list(text) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test(
    arguments: [
      "", "{}", "[", "[{}", "[{},]", "[,]", "[{}] x", "[\"]", "[{\"a\": \"]}]", "[{}]]", "[{]}",
    ])
  func `invalid JSON arrays are rejected`(text: String) {
    #expect(throws: MemeList.Invalid.self) { try list(text, .json) }
  }

  @Test func `array elements are found, even with brackets in their strings`() throws {
    let text =
      #" [ {"file": "]}, \" [{"} , {"file":"\\"},{"file": "c", "captions": [{"text": ","}]} ] "#
    let found = try list(text, .json)
    #expect(found.rows.map { found.file(of: $0) } == ["]}, \" [{", "\\", "c"])
    #expect(try list("[]", .json).rows.isEmpty)
    #expect(try list(" [ ] \n", .json).rows.isEmpty)
  }

  @Test func `failed rows are copied verbatim for correction`() throws {
    let csv = try list("\u{FEFF}file,top\r\na,\"x\r\ny\"\r\nb,\"z\"z\r\nc,d")
    let some = csv.copy(of: [csv.rows[2], csv.rows[0]])
    #expect(some.utf8Text == "\u{FEFF}file,top\r\na,\"x\r\ny\"\nc,d\n")
    let json = try list("[{\"file\":\n\"a\"}, 7,\n {\"file\": \"b\"}]", .json)
    #expect(
      json.copy(of: [json.rows[1], json.rows[2]]).utf8Text == "[\n7,\n{\"file\": \"b\"}\n]\n")
    let lines = try list("{\"file\": \"a\"}\n\nnope\n", .jsonLines)
    #expect(lines.copy(of: [lines.rows[1]]).utf8Text == "nope\n")
  }
}
