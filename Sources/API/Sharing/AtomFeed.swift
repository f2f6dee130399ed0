import HTTP
import Memes

/// Public memes as an Atom document (RFC 4287), for feed readers.
struct AtomFeed {
  let address: PublicAddress
  let subject: Subject
  /// The newest first.
  let memes: [Meme]

  /// What all memes of the feed have in common.
  enum Subject {
    case everyones
    case author(Author)
    case tag(Tag)
  }

  /// `updated` of a feed without memes. It is fixed, so that the document does not change.
  private static let never = Timestamp(millisecondsSince1970: 0)

  /// The document. It depends only on the memes, their authors, and the server's public URL.
  var document: XML {
    let url = address.atomFeed(of: subject)
    let author: Author? = if case .author(let author) = subject { author } else { nil }
    let page = author.map { address.profile(of: $0.username) } ?? "\(address.root)/"
    let updated = memes.map(\.updatedAt).max() ?? Self.never
    return """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
      <id>\(author.map { "urn:uuid:\($0.id)" } ?? url)</id>
      <title>\(Self.title(of: subject, at: address))</title>
      <updated>\(updated.description)</updated>
      \(author.map(person) ?? server)
      <link rel="self" type="application/atom+xml" href="\(url)"/>
      <link rel="alternate" type="text/html" href="\(page)"/>
      \(memes.map(entry).joined())</feed>

      """
  }

  /// The name under which feed readers list the feed.
  static func title(of subject: Subject, at address: PublicAddress) -> String {
    switch subject {
    case .everyones: "Memes on \(address.host)"
    case .author(let author): "Memes by \(author.name) on \(address.host)"
    case .tag(let tag): "Memes tagged \(tag.text) on \(address.host)"
    }
  }

  /// The ID of an entry is that of the meme, so that it stays the same if the server's URL changes.
  private func entry(_ meme: Meme) -> XML {
    let image = meme.image
    let picture = address.picture(.image, of: meme)
    let content: HTML = """
      <img src="\(picture)" width="\(String(image.size.width))" height="\(String(image.size.height))" \
      alt="\(meme.altText.text)">
      """
    return """
      <entry>
      <id>urn:uuid:\(meme.id.description)</id>
      <title>\(meme.feedTitle)</title>
      <published>\(meme.createdAt.description)</published>
      <updated>\(meme.updatedAt.description)</updated>
      \(meme.author.map(person) ?? server)
      \(meme.tags.map(category).joined())
      <link rel="alternate" type="text/html" href="\(address.page(of: meme.id))"/>
      <link rel="enclosure" type="\(image.format.mediaType)" length="\(String(image.byteCount))" href="\(picture)"/>
      <content type="html">\(content.text)</content>
      </entry>

      """
  }

  private func category(_ tag: Tag) -> XML { "<category term=\"\(tag.text)\"/>" }

  private func person(_ author: Author) -> XML {
    "<author><name>\(author.name)</name><uri>\(address.profile(of: author.username))</uri></author>"
  }

  /// The author of memes that were made without an account, and of a feed with several authors.
  private var server: XML {
    "<author><name>MemeMe</name><uri>\(address.root)/</uri></author>"
  }
}

extension Author {
  /// The name that the author chose, or else the username.
  fileprivate var name: String { displayName?.text ?? username.text }
}

extension HTML {
  /// Lets feed readers and browsers find the feed.
  static func atomLink(of author: Author?, at address: PublicAddress) -> HTML {
    let subject = author.map(AtomFeed.Subject.author) ?? .everyones
    let title = AtomFeed.title(of: subject, at: address)
    return """
      <link rel="alternate" type="application/atom+xml" href="\(address.atomFeed(of: subject))" title="\(title)">

      """
  }
}
