import Bytes
import Memes

/// The public URLs of the server, for use in chats, feeds and emails.
///
/// They depend only on the settings. The client controls the `Host` of a request, and the response may
/// be cached for others.
package struct PublicAddress: Sendable {
  private let base: @Sendable () -> String

  /// - Parameter base: returns an absolute URL without a trailing slash. Called for every URL, because the port may be
  ///   unknown until the server listens.
  package init(base: @escaping @Sendable () -> String) { self.base = base }

  /// The URL of the server.
  package var root: String { base() }

  /// The host of the server, with the port if it is not the default.
  var host: Substring {
    (base().split(separator: "://", maxSplits: 1).last ?? "").prefix { $0 != "/" }
  }

  /// The URL at which the holder of an invitation creates an account. Browsers do not send the fragment, so the code
  /// appears in no log.
  package func invitation(_ code: String) -> String { "\(base())/app/join#\(code)" }

  /// The URL from which an authenticator app reads a secret. The app shows the username and the server's host, because
  /// a person may have accounts on several servers.
  ///
  /// - Parameter secret: in Base32.
  func otpauth(_ secret: String, of username: Username) -> String {
    let account = "\(username)@\(host)".percentEncoded
    return
      "otpauth://totp/MemeMe:\(account)?secret=\(secret)&issuer=MemeMe&algorithm=SHA1&digits=6&period=30"
  }

  /// The URL of a meme's page.
  func page(of id: MemeID) -> String { "\(base())/m/\(id)" }

  /// The URL of a user's profile in the web app.
  func profile(of username: Username) -> String { "\(base())/app/user/\(username)" }

  /// The URL of an Atom feed of public memes.
  func atomFeed(of subject: AtomFeed.Subject) -> String {
    let query =
      switch subject {
      case .everyones: ""
      case .author(let author): "?author=\(author.username)"
      case .tag(let tag): "?tag=\(tag.text.percentEncoded)"
      }
    return "\(base())/memes.atom\(query)"
  }

  /// The URL of a public picture of a meme, in the current version.
  func picture(_ role: PictureRole, of meme: Meme) -> String {
    "\(base())/memes/\(meme.id)\(role.address)\(meme.version)"
  }

  /// The URL at which consumers request the oEmbed data of a page.
  func embedding(of page: String) -> String {
    "\(base())/oembed?format=json&url=\(page.percentEncoded)"
  }

  /// The meme whose page has this URL; `nil` if the URL is not a meme page of this server.
  func meme(atPage url: String) -> MemeID? {
    let start = Self.comparable("\(base())/m/")
    let url = Self.comparable(url)
    guard url.hasPrefix(start) else { return nil }
    // Ignore tracking parameters.
    let rest = url.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" }
    return MemeID(String(rest.hasSuffix("/") ? rest.dropLast() : rest))
  }

  /// The URL without its scheme, and with a lowercase host and no default port, as browsers write it (RFC 3986
  /// §6.2.2.1, §6.2.3).
  private static func comparable(_ url: String) -> String {
    let parts = url.split(separator: "://", maxSplits: 1)
    guard parts.count == 2, let port = ["http": ":80", "https": ":443"][parts[0].lowercased()]
    else { return url }
    let host = parts[1].prefix { $0 != "/" }
    let shown = host.hasSuffix(port) ? host.dropLast(port.count) : host
    return shown.lowercased() + parts[1].dropFirst(host.count)
  }
}
