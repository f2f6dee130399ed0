import Bytes
import HTTP
import Memes

/// An event as a message for a chat.
///
/// Text of users is escaped, so that it is shown as it is and mentions no one.
struct ChatMessage {
  private static let maximumCharacters = 300

  /// The person, what they did, and what with. `nil` parts are left out.
  private let person: String?
  private let action: String
  private let title: (text: String, url: String)?
  private let isOfMeme: Bool
  private let quote: String?
  /// A picture that everyone can see, and its description.
  private let picture: (url: String, format: PictureFormat, text: String)?

  /// - Parameter showsPictures: whether the chat can fetch the pictures of public memes.
  init(
    _ event: Event, _ subject: EventMessages.Subject, _ address: PublicAddress,
    showsPictures: Bool
  ) {
    let meme = subject.meme
    let actor = event.kind == .userCreated ? event.person : event.actor
    person =
      switch event.kind {
      case .commentCreated: (subject.comment?.author).map(Self.name) ?? "Someone"
      case .likeCreated: (meme == nil ? nil : actor).map(Self.name) ?? "Someone"
      case .followCreated: actor.map(Self.name) ?? "Someone"
      case .reportCreated: nil
      default: (actor ?? meme?.author).map(Self.name)
      }
    action =
      switch event.kind {
      case .memeCreated: "posted"
      case .memeUpdated: "edited"
      case .memeDeleted: "deleted"
      case .commentCreated: "commented on"
      case .likeCreated: "liked"
      case .followCreated: "follows \(event.person.map(Self.name) ?? "someone")"
      case .reportCreated: "New report"
      case .userCreated: "joined"
      }
    title = meme.map { (Self.brief($0.title), address.page(of: $0.id)) }
    isOfMeme = event.kind.isOfMeme
    quote = (subject.comment?.text.text ?? subject.report?.reason.text).map(Self.brief)
    let showsPicture =
      showsPictures && (event.kind == .memeCreated || event.kind == .memeUpdated)
    picture = meme.flatMap { meme in
      showsPicture && meme.visibility == .public
        ? (
          address.picture(.image, of: meme), meme.image.format, Self.brief(meme.altText.text)
        ) : nil
    }
  }

  private static func name(of person: Author) -> String {
    person.displayName.map { "\($0.text) (\(person.username))" } ?? person.username.text
  }

  /// One line of limited length.
  private static func brief(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let start = line.unicodeScalars.prefix(maximumCharacters)
    return start.count < line.unicodeScalars.count ? "\(String(start))…" : line
  }

  /// The body for an incoming webhook of Slack (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).
  var slack: Bytes {
    let line = line(escape: Self.slackText) { "<\($0.url)|\(Self.slackText($0.text))>" }
    let text = line + (quote.map { "\n>\(Self.slackText($0))" } ?? "")
    var json = JSONWriter(capacity: 1024)
    json.object { json in
      json.member("text", text)
      json.array("blocks") { json in
        json.object { json in
          json.member("type", "section")
          json.object("text") { json in
            json.member("type", "mrkdwn")
            json.member("text", text)
            // Names of channels and people stay text.
            json.member("verbatim", true)
          }
        }
        guard let picture else { return }
        // Slack refuses a whole message with a picture that it cannot fetch, or in another format.
        let isKnown = [PictureFormat.jpeg, .png, .gif].contains(picture.format)
        json.object { json in
          json.member("type", "image")
          json.member("image_url", isKnown ? picture.url : "\(picture.url)&format=jpeg")
          json.member("alt_text", picture.text.isEmpty ? "Meme" : picture.text)
        }
      }
    }
    return json.finish()
  }

  /// The body for a webhook of Discord (https://docs.discord.com/developers/resources/webhook#execute-webhook).
  var discord: Bytes {
    let line = line(escape: Self.discordText) { "[\(Self.discordText($0.text))](<\($0.url)>)" }
    var json = JSONWriter(capacity: 1024)
    json.object { json in
      json.member("content", line + (quote.map { "\n> \(Self.discordText($0))" } ?? ""))
      json.object("allowed_mentions") { json in json.array("parse") { _ in } }
      if let picture {
        json.array("embeds") { json in
          json.object { json in
            json.object("image") { json in json.member("url", picture.url) }
          }
        }
      }
    }
    return json.finish()
  }

  private func line(
    escape: (String) -> String, link: ((text: String, url: String)) -> String
  ) -> String {
    // A meme that is gone has no title.
    let what = title.map(link) ?? (isOfMeme ? "a meme" : nil)
    return [person.map(escape), escape(action), what].compactMap(\.self).joined(separator: " ")
  }

  /// Escapes what Slack gives a meaning: entities, and the characters of its formatting, which get a word joiner.
  private static func slackText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      // A zero-width word joiner ends the formatting that the character would begin.
      case "*", "_", "~", "`", "@": result += "\u{2060}\(scalar)\u{2060}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Escapes what Discord's Markdown gives a meaning.
  private static func discordText(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "*", "_", "~", "`", "|", ">", "<", "[", "]", "(", ")", "#", ":", "-":
        result += "\\\(scalar)"
      case "@": result += "@\u{2060}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
