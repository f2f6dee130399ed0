import Bytes
import Foundation
import HTTP
import Memes

/// The public page of a meme: the picture, and the metadata from which other sites create a link preview.
///
/// One HTML document without scripts. It loads only the picture.
struct MemePages {
  private let address: PublicAddress
  let basePath: String
  private let digest: Digester
  private let policy: HeaderValue?
  private let linksAtom: Bool

  /// - Parameters:
  ///   - basePath: the prefix of every URL, without a trailing slash.
  ///   - linksAtom: whether feed readers can read the feeds. They have no session.
  init(
    address: PublicAddress, basePath: String, linksAtom: Bool, digest: @escaping Digester
  ) {
    (self.address, self.basePath, self.digest) = (address, basePath, digest)
    self.linksAtom = linksAtom
    let style = Data(digest(Bytes(Self.stylesheet)).bytes).base64EncodedString()
    policy = HeaderValue(
      "default-src 'none'; img-src 'self'; style-src 'sha256-\(style)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
  }

  func response(_ meme: Meme) -> Response {
    let body = Bytes(html(meme).text)
    return Response(.ok, "text/html; charset=utf-8", body)
      .with(.contentSecurityPolicy, policy)
      .with(.etag, HeaderValue("\"\(digest(body).tag)\""))
      .with(.cacheControl, meme.visibility == .public ? "public, no-cache" : "private, no-cache")
  }
}

extension MemePages {
  private func html(_ meme: Meme) -> HTML {
    let links = ShareLinks(meme, at: address)
    let picture = "\(basePath)/memes/\(meme.id)\(PictureRole.image.address)\(meme.version)"
    let size = meme.image.size
    let targets = links.targets.map { target -> HTML in
      "<li><a href=\"\(target.link)\" rel=\"noreferrer\">\(target.name)</a></li>\n"
    }
    return .page(
      title: links.title, head: head(meme, links), style: Self.stylesheet,
      body: """
        <main>
        <figure>
        <a href="\(picture)"><img src="\(picture)" width="\(String(size.width))" height="\(String(size.height))" \
        alt="\(meme.altText.text)"></a>
        <figcaption><h1 dir="auto">\(links.title)</h1></figcaption>
        </figure>
        <nav aria-label="Share">
        <ul>
        \(targets.joined())</ul>
        </nav>
        <p><a href="\(basePath)/app/meme/\(meme.id.description)">Open in MemeMe</a></p>
        </main>
        """)
  }

  /// Open Graph (ogp.me), an X card, oEmbed discovery (oEmbed 1.0 §4), and the feed of the author, or of everyone.
  private func head(_ meme: Meme, _ links: ShareLinks) -> HTML {
    let image = meme.image
    let properties: [(String, String)] = [
      ("og:type", "website"), ("og:site_name", "MemeMe"), ("og:title", links.title),
      ("og:url", links.url),
      ("og:image", address.picture(.image, of: meme)), ("og:image:type", image.format.mediaType),
      ("og:image:width", String(image.size.width)), ("og:image:height", String(image.size.height)),
      ("og:image:alt", links.text),
    ]
    let card: [(String, String)] = [
      ("twitter:card", "summary_large_image"),
      ("twitter:title", links.title), ("twitter:image", address.picture(.image, of: meme)),
      ("twitter:image:alt", links.text),
    ]
    // Sites would show the same text twice.
    let description: HTML =
      links.text == links.title
      ? "" : "<meta name=\"description\" property=\"og:description\" content=\"\(links.text)\">\n"
    return """
      <link rel="canonical" href="\(links.url)">
      <link rel="alternate" type="application/json+oembed" href="\(address.embedding(of: links.url))" title="\(links.title)">
      \(linksAtom ? .atomLink(of: meme.author, at: address) : HTML())\(description)\(properties.map { "<meta property=\"\($0.0)\" content=\"\($0.1)\">\n" as HTML }.joined())\
      \(card.map { "<meta name=\"\($0.0)\" content=\"\($0.1)\">\n" as HTML }.joined())
      """
  }
}
