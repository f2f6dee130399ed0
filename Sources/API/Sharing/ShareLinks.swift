import Bytes
import HTTP
import Memes

/// The data for sharing a meme: its URL, its texts, and links that open the share dialogs of apps.
struct ShareLinks {
  let url: String
  let title: String
  /// The alternative text for screen readers.
  let text: String

  init(_ meme: Meme, at address: PublicAddress) {
    (url, title, text) = (address.page(of: meme.id), meme.title, meme.altText.text)
  }

  /// The apps in display order, with the channel of each.
  var targets: [(channel: ShareChannel, name: String, link: String)] {
    let (url, title) = (url.percentEncoded, title.percentEncoded)
    return [
      (.facebook, "Facebook", "https://www.facebook.com/sharer/sharer.php?u=\(url)"),
      (.x, "X", "https://x.com/intent/post?text=\(title)&url=\(url)"),
      (.whatsapp, "WhatsApp", "https://wa.me/?text=\(title)%20\(url)"),
      // iOS expects an ampersand, but RFC 5724 and Android expect a question mark. With both, either
      // platform finds its own.
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
