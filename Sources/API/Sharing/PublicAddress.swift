import Memes

/// Where people reach the server, for what is read elsewhere: in chats, in feeds, in mails.
///
/// It comes from the settings alone. The `Host` of a request is its sender's word, and would be kept for others.
package struct PublicAddress: Sendable {
  private let base: @Sendable () -> String

  /// - Parameter base: an absolute URL without a slash at its end. It is asked for anew each time, because the port may be
  ///   known only when the server listens.
  package init(base: @escaping @Sendable () -> String) { self.base = base }

  /// The server itself.
  package var root: String { base() }

  /// The page of a meme.
  func page(of id: MemeID) -> String { "\(base())/m/\(id)" }

  /// One of a meme's pictures that everybody may see, of the version that it has now.
  func picture(_ role: PictureRole, of meme: Meme) -> String {
    "\(base())/memes/\(meme.id)\(role.address)\(meme.version)"
  }

  /// Where an embedder asks about the page.
  func embedding(of page: String) -> String {
    "\(base())/oembed?format=json&url=\(page.percentEncoded)"
  }

  /// The meme whose page this is; `nil` where it is a page of somebody else.
  func meme(atPage url: String) -> MemeID? {
    let start = Self.comparable("\(base())/m/")
    let url = Self.comparable(url)
    guard url.hasPrefix(start) else { return nil }
    // What is added to a link on its way, to count clicks.
    let rest = url.dropFirst(start.count).prefix { $0 != "?" && $0 != "#" }
    return MemeID(String(rest.hasSuffix("/") ? rest.dropLast() : rest))
  }

  /// The URL without its scheme, whose host is in small letters as browsers write it (RFC 3986 §6.2.2.1).
  private static func comparable(_ url: String) -> String {
    let parts = url.split(separator: "://", maxSplits: 1)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { return url }
    let host = parts[1].prefix { $0 != "/" }
    return host.lowercased() + parts[1].dropFirst(host.count)
  }
}
