import Support
import Testing
import Wire
import mememe

/// Invalid uploads get a problem document that names the cause, and store nothing.
@Suite(.sharedServer)
struct BadInputTests {
  private func refused(
    _ status: Int, _ problem: String, fields: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ send: (TestServer) async throws -> Answer
  ) async throws {
    try await withSharedServer { server in
      try await send(server).expect(
        status, problem: problem, fields: fields, sourceLocation: sourceLocation)
      let items = try await server.get("/memes").json.items.elements
      #expect(items.isEmpty, sourceLocation: sourceLocation)
    }
  }

  @Test func `a form without an image is rejected`() async throws {
    try await refused(422, "invalid-input", fields: ["image missing"]) {
      try await $0.post([.field("top", "x")])
    }
  }

  @Test func `an empty form is rejected`() async throws {
    try await refused(422, "invalid-input", fields: ["image missing"]) { try await $0.post([]) }
  }

  @Test func `two images are rejected`() async throws {
    let photo = try Fixture.photo.bytes
    try await refused(422, "invalid-input", fields: ["image duplicate"]) {
      try await $0.post([.file("image", photo), .file("image", photo)])
    }
  }

  @Test func `two texts of one name are rejected`() async throws {
    let photo = try Fixture.photo.bytes
    try await refused(422, "invalid-input", fields: ["fill duplicate", "top duplicate"]) {
      try await $0.post([
        .field("top", "x"), .field("fill", "#ffffff"), .file("image", photo), .field("top", "y"),
        .field("fill", "no color"),
      ])
    }
  }

  @Test func `an empty file is rejected`() async throws {
    try await refused(422, "invalid-input", fields: ["image empty"]) {
      try await $0.post([.file("image", [])])
    }
  }

  @Test func `a picture or body over the limit is rejected`() async throws {
    for size in [200_000, 1_000_000] {
      try await withServer({ $0.maxUploadBytes = 100_000 }) { server in
        try await server.post([.file("image", [UInt8](repeating: 7, count: size))])
          .expect(413, problem: "content-too-large")
        #expect(try await server.get("/memes").json.items.elements.isEmpty)
      }
    }
  }

  @Test func `every invalid upload field is named at once`() async throws {
    let fields = [
      "align not-allowed", "altText too-long", "bottom nul", "case not-allowed",
      "extra unknown-field", "fill invalid-colour", "font unknown-font", "format not-allowed",
      "id invalid-uuid", "image missing", "maxEdge out-of-range", "outline invalid-colour",
      "outlineWidth out-of-range", "size not-a-number", "top too-long",
    ]
    try await refused(422, "invalid-input", fields: fields) { server in
      try await server.post([
        .field("top", String(repeating: "x", count: 281)), .field("bottom", "a\0b"),
        .field("altText", String(repeating: "x", count: 1001)), .field("fill", "red"),
        .field("outline", "#12345"), .field("format", "tiff"), .field("id", "1"),
        .field("maxEdge", "0"), .field("extra", "1"), .field("font", "Comic Sans"),
        .field("outlineWidth", "0.31"), .field("size", "NaN"), .field("case", "lower"),
        .field("align", "justify"),
      ])
    }
  }

  @Test func `a caption of a megabyte is rejected`() async throws {
    let photo = try Fixture.photo.bytes
    let caption = String(repeating: "x", count: 1 << 20)
    try await refused(422, "invalid-input", fields: ["top too-long"]) {
      try await $0.post([.file("image", photo), .field("top", caption)])
    }
  }

  @Test func `captions at the byte limit are stored and listed`() async throws {
    let caption = String(repeating: "👩🏽‍❤️‍💋‍👨🏽", count: 234)
    try await withServer { server in
      let answer = try await server.upload(.moving, top: caption, bottom: caption).expect(201)
      let list = try await server.get("/memes").expect(200)
      #expect(list.json.items[0].top.text == caption)
      try await server.get(try #require(answer["location"])).expect(200)
    }
  }

  @Test func `an empty alt text is generated from the captions`() async throws {
    try await withServer { server in
      let meme = try await server.upload(.moving, top: "hello", ["altText": ""]).expect(201).json
      #expect(meme.altText.text == "hello")
    }
  }

  @Test func `text that is not UTF-8 is rejected`() async throws {
    let photo = try Fixture.photo.bytes
    try await refused(422, "invalid-input", fields: ["top invalid-utf8"]) {
      try await $0.post([.file("image", photo), .rawField("top", [0x61, 0xFF, 0xC0])])
    }
  }

  @Test(arguments: ["1e3", "+5", "12.5", " 100", "9999999999999999999999", "", "NaN"])
  func `invalid integers are rejected`(text: String) async throws {
    let photo = try Fixture.photo.bytes
    try await refused(422, "invalid-input", fields: ["maxEdge not-a-number"]) {
      try await $0.post([.file("image", photo), .field("maxEdge", text)])
    }
  }

  @Test(arguments: [
    "NaN", "nan", "inf", "-Infinity", "0x1p-3", "", "0,2", " 0.2", "+0.2", "1.2.3", "0.2em",
  ])
  func `invalid fractions are rejected`(text: String) async throws {
    let photo = try Fixture.photo.bytes
    try await refused(
      422, "invalid-input", fields: ["outlineWidth not-a-number", "size not-a-number"]
    ) {
      try await $0.post([
        .file("image", photo), .field("size", text), .field("outlineWidth", text),
      ])
    }
  }

  @Test(arguments: ["-0.001", "0.0199", "0.50001", "1", "1e999", "-1e999"])
  func `a size out of range is rejected`(text: String) async throws {
    let photo = try Fixture.photo.bytes
    try await refused(422, "invalid-input", fields: ["size out-of-range"]) {
      try await $0.post([.file("image", photo), .field("size", text)])
    }
  }

  @Test(arguments: ["application/json", "text/plain", "application/x-www-form-urlencoded"])
  func `other media types are rejected`(type: String) async throws {
    try await refused(415, "unsupported-media-type") {
      try await $0.send("POST", "/memes", headers: [("Content-Type", type)], body: [0x7B, 0x7D])
    }
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
  ])
  func `invalid boundaries are rejected`(type: String) async throws {
    try await refused(400, "malformed-request") {
      try await $0.send("POST", "/memes", headers: [("Content-Type", type)], body: [0x61])
    }
  }

  @Test func `bodies with a missing boundary are rejected`() async throws {
    let whole = FormBody([.file("image", try Fixture.photo.bytes)]).bytes
    for body in [Array("not multipart".utf8), Array(whole.dropLast(60)), Array(whole.prefix(40))] {
      try await refused(400, "malformed-request") {
        try await $0.send(
          "POST", "/memes", headers: [("Content-Type", FormBody.contentType)], body: body)
      }
    }
  }

  @Test(arguments: [
    "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>",
    "<svg width=\"10\" height=\"10\"/>", "%PDF-1.7\n1 0 obj", "BM-not-a-bitmap", "P6 1 1 255\nabc",
    "II*\0........", "random bytes of no kind at all", "\u{FEFF}GIF89a", "RIFF....WAVEfmt ",
  ])
  func `content that is not JPEG, PNG, GIF or WebP is rejected`(content: String) async throws {
    try await refused(415, "unsupported-picture") {
      try await $0.post([.file("image", Array(content.utf8))])
    }
  }

  @Test(arguments: [Fixture.photo, .progressive, .webp, .transparent, .moving])
  func `a truncated picture is rejected`(picture: Fixture) async throws {
    let bytes = try picture.bytes
    for share in [0.1, 0.5, 0.9] {
      try await refused(422, "invalid-input", fields: ["image broken-picture"]) {
        try await $0.post([.file("image", Array(bytes.prefix(Int(Double(bytes.count) * share))))])
      }
    }
  }

  @Test func `a header of 60000 by 60000 pixels is rejected`() async throws {
    // Signature, IHDR of 60000×60000 in 8-bit RGB with its CRC, and the start of an IDAT.
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    bytes += Array("IHDR".utf8) + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 2, 0, 0, 0]
    bytes += [0x0F, 0xB0, 0xE2, 0x15, 0, 0, 0x10, 0] + Array("IDAT".utf8)
    bytes += [0x78, 0x9C] + [UInt8](repeating: 0, count: 4096)
    try await refused(422, "invalid-input", fields: ["image too-many-pixels"]) {
      try await $0.post([.file("image", bytes)])
    }
  }

  @Test func `the pixel limit counts all frames`() async throws {
    for (limit, status) in [(100 * 80 * 3, 201), (100 * 80 * 3 - 1, 422)] {
      try await withServer({ $0.maxPixels = limit }) { server in
        try await server.upload(.moving).expect(status)
      }
    }
  }

  @Test func `an Accept that cannot be met is rejected`() async throws {
    try await refused(406, "not-acceptable") {
      try await $0.upload(headers: [("Accept", "text/html")])
    }
    try await refused(406, "not-acceptable") {
      try await $0.upload(.photo, ["format": "jpeg"], headers: [("Accept", "image/png")])
    }
  }

  @Test func `a form with too many parts is rejected`() async throws {
    let parts = (0..<65).map { FormBody.Part.field("f\($0)", "") }
    try await withServer { server in
      let answer = try await server.post(parts)
      #expect([400, 413].contains(answer.status))
    }
  }

  @Test func `a client that disconnects mid-upload leaves nothing behind`() async throws {
    let form = FormBody([.file("image", try Fixture.photo.bytes)]).bytes
    try await withLiveServer { server in
      for count in [0, 1, 200, form.count - 1] {
        let client = try server.connect()
        await client.send(
          "POST /memes HTTP/1.1\r\nHost: x\r\nContent-Type: \(FormBody.contentType)\r\n"
            + "Content-Length: \(form.count)\r\n\r\n")
        await client.send(Array(form.prefix(count)))
        client.vanish(reset: true)
      }
      try await server.get("/healthz").expect(200)
      #expect(try await server.get("/memes").json.items.elements.isEmpty)
    }
  }
}
