import Support
import Testing
import Wire
import mememe

/// Invalid editor input. Creation, preview and edit respond with a problem document that names each
/// invalid field, and store or change nothing.
struct BadEditorInputTests {
  /// Sends the fields as forms to create, preview and edit a meme, and the edit as JSON too.
  private func expectRefusal(
    of fields: [(String, String)], json: String?, naming errors: [String],
    telling words: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withServer { server in
      let (url, token) = try await make(server)
      let before = try await server.get(url, token: token).response.body
      let parts = fields.map { FormBody.Part.field($0.0, $0.1) }
      let whole = [.file("image", try Fixture.photo.bytes)] + parts
      var answers = [
        try await server.post(whole), try await server.post(to: "/memes/preview", whole),
        try await server.patch(url, FormBody(parts), token: token),
      ]
      if let json { answers.append(try await server.patch(url, json, token: token)) }
      for answer in answers {
        answer.expect(422, problem: "invalid-input", fields: errors, sourceLocation: sourceLocation)
        for word in words {
          #expect(answer.json.detail.text?.contains(word) == true, sourceLocation: sourceLocation)
        }
      }
      #expect(try await server.get("/memes").json.items.elements.count == 1)
      #expect(try await server.get(url, token: token).response.body == before)
    }
  }

  private func make(_ server: TestServer) async throws -> (url: String, token: String?) {
    let made = try await server.upload(.photo, top: "one").expect(201)
    return (try #require(made["location"]), made["meme-delete-token"])
  }

  @Test func `invalid colors are rejected`() async throws {
    try await expectRefusal(
      of: [("fill", "red"), ("outline", "#12345")],
      json: ##"{"fill": "red", "outline": "#12345"}"##,
      naming: ["fill invalid-colour", "outline invalid-colour"])
  }

  @Test func `an unknown font is rejected with the list of known fonts`() async throws {
    var known: [String] = []
    try await withServer { server in
      known = try await server.get("/fonts").json.items.elements.compactMap(\.id.text)
    }
    #expect(known.count >= 8)
    try await expectRefusal(
      of: [("font", "wingdings")], json: #"{"font": "wingdings"}"#, naming: ["font unknown-font"],
      telling: known)
  }

  @Test(arguments: [
    ("NaN", #""NaN""#, "not-a-number"), ("Infinity", "true", "not-a-number"),
    ("9", "9", "out-of-range"), ("-0.1", "-0.1", "out-of-range"), ("1e999", "9e99", "out-of-range"),
  ])
  func `invalid and out-of-range numbers are rejected`(
    sent: String, json: String, code: String
  ) async throws {
    try await expectRefusal(
      of: [("size", sent), ("outlineWidth", sent)],
      json: #"{"size": \#(json), "outlineWidth": \#(json)}"#,
      naming: ["size \(code)", "outlineWidth \(code)"])
  }

  @Test func `unknown enumeration values are rejected`() async throws {
    try await expectRefusal(
      of: [("layout", "sides"), ("case", "lower"), ("align", "middle"), ("format", "tiff")],
      json: #"{"layout": "sides", "case": "lower", "align": "middle", "format": "tiff"}"#,
      naming: ["layout not-allowed", "case not-allowed", "align not-allowed", "format not-allowed"])
  }

  private static func box(_ members: String) -> String {
    #"{"text": "a", "x": 0, "y": 0, "width": 1, "height": 1\#(members)}"#
  }

  private static let box = box("")

  @Test(arguments: [
    ("{}", ["captions not-an-array"]), ("[1]", ["captions[0] not-an-object"]),
    (
      "[" + Array(repeating: box, count: 21).joined(separator: ",") + "]", ["captions too-many"]
    ),
    ("[{}]", ["text", "x", "y", "width", "height"].map { "captions[0].\($0) missing" }),
    (
      "[\(box), \(box(#", "font": "wingdings", "colour": "red", "rotation": 181"#))]",
      [
        "captions[1].font unknown-font", "captions[1].colour unknown-field",
        "captions[1].rotation out-of-range",
      ]
    ),
    (
      #"[{"text": "a\u0000", "x": -0.1, "y": 1.1, "width": 0, "height": "NaN"}]"#,
      [
        "captions[0].text nul", "captions[0].x out-of-range", "captions[0].y out-of-range",
        "captions[0].width out-of-range", "captions[0].height not-a-number",
      ]
    ),
    (
      #"[{"text": "a", "x": 0.6, "y": 0.6, "width": 0.5, "height": 0.5}]"#,
      ["captions[0].width out-of-range", "captions[0].height out-of-range"]
    ),
    (
      "[\(box(#", "fill": "red", "size": 9, "case": "lower", "align": 1, "verticalAlign": "left""#))]",
      [
        "captions[0].fill invalid-colour", "captions[0].size out-of-range",
        "captions[0].case not-allowed", "captions[0].align not-a-text",
        "captions[0].verticalAlign not-allowed",
      ]
    ),
  ])
  func `each invalid box member is named`(captions: String, errors: [String]) async throws {
    try await expectRefusal(
      of: [("captions", captions)], json: "{\"captions\": \(captions)}", naming: errors)
  }

  @Test(arguments: ["not json", "[NaN]", #"[{"x": NaN}]"#, "[\(box)"])
  func `captions that are not JSON are rejected`(captions: String) async throws {
    try await expectRefusal(
      of: [("captions", captions)], json: nil, naming: ["captions not-json"])
  }

  @Test(arguments: [("top", "x"), ("bottom", "x"), ("layout", "bar")])
  func `boxes exclude top, bottom and layout`(name: String, value: String) async throws {
    try await expectRefusal(
      of: [("captions", "[\(Self.box)]"), (name, value)],
      json: #"{"captions": [\#(Self.box)], "\#(name)": "\#(value)"}"#,
      naming: ["captions not-together"])
  }

  @Test(arguments: [
    ("0,0,0,10", "out-of-range"), ("0,0,10,0", "out-of-range"), ("-1,0,5,5", "out-of-range"),
    ("1,2,3", "invalid-crop"), ("a,b,c,d", "invalid-crop"), (",,,", "invalid-crop"),
  ])
  func `empty and invalid crops are rejected`(crop: String, code: String) async throws {
    try await expectRefusal(
      of: [("crop", crop)], json: "{\"crop\": \"\(crop)\"}", naming: ["crop \(code)"])
  }

  @Test(arguments: ["0,0,641,480", "600,0,100,100", "0,480,1,1"])
  func `a crop outside the picture is rejected with the picture's size`(
    crop: String
  ) async throws {
    try await expectRefusal(
      of: [("crop", crop)], json: "{\"crop\": \"\(crop)\"}", naming: ["crop out-of-range"],
      telling: ["640 × 480"])
  }

  @Test func `all invalid fields are named at once`() async throws {
    try await expectRefusal(
      of: [
        ("fill", "red"), ("size", "big"), ("font", "wingdings"), ("crop", "0,0,0,5"),
        ("mood", "calm"),
      ],
      json:
        #"{"fill": "red", "size": "big", "font": "wingdings", "crop": "0,0,0,5", "mood": "calm"}"#,
      naming: [
        "fill invalid-colour", "size not-a-number", "font unknown-font", "crop out-of-range",
        "mood unknown-field",
      ])
  }

  @Test func `edits honor If-Match`() async throws {
    try await withServer { server in
      let made = try await make(server)
      let tag = try #require(try await server.get(made.url, token: made.token)["etag"])
      let edited = try await server.patch(
        made.url, #"{"top": "a"}"#, token: made.token, headers: [("If-Match", tag)]
      ).expect(200)
      for stale in [tag, "\"1\"", "\"3\"", "W/\"2\"", "\"x\""] {
        try await server.patch(
          made.url, #"{"top": "b"}"#, token: made.token, headers: [("If-Match", stale)]
        ).expect(412, problem: "precondition-failed")
      }
      let unchanged = try await server.get(made.url, token: made.token)
      #expect(unchanged.response.body == edited.response.body)
      for current in ["\"2\"", "\"1\", \"2.x\"", "*"] {
        try await server.patch(
          made.url, #"{"top": "a"}"#, token: made.token, headers: [("If-Match", current)]
        ).expect(200)
      }
    }
  }

  @Test func `only the uploader and the admin can edit a meme`() async throws {
    try await withServer { server in
      let made = try await make(server)
      let other = try await make(server)
      for token in [nil, other.token, "x"] {
        let refused = try await server.patch(made.url, #"{"top": "x"}"#, token: token)
        refused.expect(401, problem: "unauthorized")
        #expect(refused["www-authenticate"] != nil)
      }
      try await server.patch(made.url, #"{"top": "x"}"#, token: server.adminToken).expect(200)
      try await server.delete(made.url, token: made.token).expect(204)
      try await server.patch(made.url, #"{"top": "y"}"#, token: made.token)
        .expect(410, problem: "gone")
      try await server.patch(
        "/memes/01234567-89ab-7def-8123-456789abcdef", "{}", token: server.adminToken
      ).expect(404, problem: "not-found")
    }
  }
}
