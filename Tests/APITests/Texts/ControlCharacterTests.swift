import Foundation
import Support
import Testing
import Wire

@testable import SQL
@testable import SQLite

/// Control characters in captions, alternative texts, comments and bios.
struct ControlCharacterTests {
  private static let typed = #"a\r\nb\rc\nd\te \u200d\u202b\ufeff"#
  private static let kept = "a\nb\nc\nd e \u{200d}\u{202b}\u{feff}"

  /// Sends a text as JSON to every field that takes one.
  private func sendAll(
    _ text: String, to server: TestServer, _ token: String, meme: String,
    _ check: (_ member: String, Answer) -> Void
  ) async throws {
    let calls = [
      ("PATCH", meme, #"{"top":"\#(text)"}"#, "top"),
      ("PATCH", meme, #"{"altText":"\#(text)"}"#, "altText"),
      ("POST", "\(meme)/comments", #"{"text":"\#(text)"}"#, "text"),
      ("PATCH", "/users/me", #"{"bio":"\#(text)"}"#, "bio"),
    ]
    for (method, target, body, member) in calls {
      check(member, try await server.json(method, target, body, token: token))
    }
    let box = #"[{"text":"\#(text)","x":0,"y":0,"width":1,"height":1}]"#
    check(
      "captions[0].text",
      try await server.json("PATCH", meme, #"{"captions":\#(box)}"#, token: token))
  }

  @Test func `line ends become LF, tabs become spaces, and direction marks stay`() async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let meme = try await server.make(token: token)
      try await sendAll(Self.typed, to: server, token, meme: meme) { member, answer in
        let json = answer.json
        let found =
          switch member {
          case "top": json.top
          case "altText": json.altText
          case "text": json["text"]
          case "bio": json.bio
          default: json.captions[0]["text"]
          }
        #expect(answer.status < 300 && found.text == Self.kept, "\(member)")
      }
    }
  }

  @Test(arguments: [#"\u0001"#, #"\u001b[31m"#, #"\u007f"#, #"\u0085"#, #"\u009f"#, #"\u000b"#])
  func `other control characters are rejected with their field`(character: String) async throws {
    try await withServer { server in
      let token = try await server.signUp("ada")
      let meme = try await server.make(token: token)
      try await sendAll("a\(character)b", to: server, token, meme: meme) { member, answer in
        answer.expect(
          422, problem: "invalid-input", fields: ["\(member) control-character"])
      }
      try await server.post([
        .file("image", try Fixture.photo.bytes), .field("top", "a\u{1}b"),
      ]).expect(422, problem: "invalid-input", fields: ["top control-character"])
    }
  }

  @Test func `stored control characters are returned, and edits of other fields succeed`()
    async throws
  {
    try await withDataFolder { folder in
      var (token, meme) = ("", "")
      try await withServer(in: folder) { server in
        token = try await server.signUp("ada")
        meme = try await server.make(top: "old", token: token)
      }
      try ClosedDatabase.edit("\(folder.path)/mememe.db") { db in
        try db.run("UPDATE memes SET top = 'o' || char(27) || 'ld'")
      }
      try await withServer(in: folder) { server in
        let kept = try await server.get(meme, token: token).expect(200).json
        #expect(kept.top.text == "o\u{1b}ld")
        let edited = try await server.json("PATCH", meme, #"{"bottom":"new"}"#, token: token)
          .expect(200).json
        #expect(edited.top.text == "o\u{1b}ld" && edited.bottom.text == "new")
      }
    }
  }
}
