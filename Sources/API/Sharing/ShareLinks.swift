import HTTP
import Memes

/// What people need to tell others of a meme: its address, words, and links that open the composers of apps.
struct ShareLinks {
  let url: String
  let title: String
  /// What a screen reader says in place of the picture.
  let text: String

  init(_ meme: Meme, at address: PublicAddress) {
    (url, title, text) = (address.page(of: meme.id), meme.title, meme.altText.text)
  }

  /// The apps, by the names of their channels, in the order in which they are shown.
  var targets: [(channel: ShareChannel, name: String, link: String)] {
    let (url, title) = (url.percentEncoded, title.percentEncoded)
    return [
      (.facebook, "Facebook", "https://www.facebook.com/sharer/sharer.php?u=\(url)"),
      (.x, "X", "https://x.com/intent/post?text=\(title)&url=\(url)"),
      (.whatsapp, "WhatsApp", "https://wa.me/?text=\(title)%20\(url)"),
      // iOS wants the ampersand, RFC 5724 and Android the question mark: with both, each finds its own.
      (.sms, "SMS", "sms:?&body=\(title)%20\(url)"),
      // RFC 6068 §5: lines of a body end with CR LF.
      (.email, "Email", "mailto:?subject=\(title)&body=\(title)%0D%0A%0D%0A\(url)"),
    ]
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("url", url)
      json.member("title", title)
      json.member("text", text)
      json.object("targets") { json in
        for target in targets {
          json.name(escaping: target.channel.rawValue)
          json.value(target.link)
        }
      }
    }
  }
}
