import Foundation
import Memes
import Support
import Testing
import Wire
import mememe

/// Messages for Slack and Discord.
struct ChatMessageTests {
  private func messages(
    _ format: String, allowsAnonymous: Bool = true,
    _ body: (TestServer, _ token: String, WebhookReceiver) async throws -> Void,
    count: Int
  ) async throws -> [JSON] {
    let receiver = try WebhookReceiver()
    var found: [JSON] = []
    try await withServer({
      try $0.sendEvents()
      $0.anonymous = allowsAnonymous
    }) { server in
      let ada = try await server.signUp("ada")
      _ = try await server.connect(
        to: receiver,
        #""events":["meme.created","meme.deleted","comment.created","follow.created"],"format":"\#(format)""#,
        token: ada)
      try await body(server, ada, receiver)
      found = try await receiver.first(count).map(\.json)
    }
    return found
  }

  @Test func `Slack gets text and the picture of a public meme`() async throws {
    let found = try await messages(
      "slack",
      { server, ada, receiver in
        _ = try await server.make(top: "<!channel> *a* & b", token: ada)
        _ = try await server.make("private", top: "secret", token: ada)
      }, count: 2)
    let text = try #require(found[0]["text"].text)
    #expect(text.hasPrefix("ada posted <http"))
    #expect(text.contains("&lt;!channel&gt;") && text.contains("&amp; b") && !text.contains("<!"))
    #expect(!text.contains(" *a*"))
    #expect(found[0].blocks[0].type.text == "section")
    #expect(found[0].blocks[1].type.text == "image")
    #expect(found[0].blocks[1].image_url.text?.contains("/image") == true)
    #expect(found[1].blocks.elements.count == 1)
  }

  @Test func `Slack gets no picture in a format that it refuses`() async throws {
    let found = try await messages(
      "slack",
      { server, ada, receiver in
        try await server.post(
          [.field("format", "webp"), .file("image", try Fixture.photo.bytes)], token: ada
        ).expect(201)
      }, count: 1)
    let url = try #require(found[0].blocks[1].image_url.text)
    #expect(url.contains("/image?v=") && url.hasSuffix("&format=jpeg"))
  }

  @Test(arguments: ["slack", "discord"])
  func `a chat gets no picture of a server that only members see`(format: String) async throws {
    let found = try await messages(
      format, allowsAnonymous: false,
      { server, ada, receiver in _ = try await server.make(token: ada) }, count: 1)
    if format == "slack" {
      #expect(found[0].blocks.elements.count == 1)
    } else {
      #expect(found[0].content.text?.hasPrefix("ada posted ") == true)
      #expect(found[0].embeds == .null)
    }
  }

  @Test func `Discord gets escaped text and mentions no one`() async throws {
    let found = try await messages(
      "discord",
      { server, ada, receiver in
        let meme = try await server.make(top: "@everyone [x](https://evil.example)", token: ada)
        try await server.json(
          "POST", "\(meme)/comments", #"{"text":"**hi** @here\nnew line"}"#, token: ada
        ).expect(201)
        try await server.put("/users/ada/follow", token: try await server.signUp("bob")).expect(204)
        // The data is that at the time of delivery.
        _ = try await receiver.first(3)
        try await server.delete(meme, token: ada).expect(204)
      }, count: 4)
    for message in found { #expect(message.allowed_mentions.parse.elements.isEmpty) }
    let first = try #require(found[0].content.text)
    #expect(!first.contains("@everyone") && !first.contains("](https://evil"))
    #expect(found[0].embeds[0].image.url.text?.contains("/image") == true)
    let comment = try #require(found[1].content.text)
    #expect(comment.contains("> \\*\\*hi\\*\\* @\u{2060}here new line"))
    #expect(found[2].content.text == "bob follows ada")
    #expect(found[3].content.text == "ada deleted a meme")
  }
}
