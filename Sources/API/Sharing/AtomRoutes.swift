import Bytes
import HTTP
import Memes
package import Storage

/// The newest public memes of everyone, of one author, or with one tag, as an Atom feed.
package struct AtomRoutes: Sendable {
  private let memes: MemeStore
  private let relations: RelationStore
  private let address: PublicAddress
  private let context: APIContext

  /// The number of memes in a feed. Feed readers ask often enough to miss none.
  private static let count = 50

  package init(
    memes: MemeStore, relations: RelationStore, address: PublicAddress, context: APIContext
  ) {
    (self.memes, self.relations, self.address, self.context) = (memes, relations, address, context)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/memes.atom", access: .viewer, query: ["author", "tag"],
        cachePolicy: .untilMemesChange, feed)
    ]
  }

  /// Reads as an anonymous caller, because feed readers share what they read among their users.
  private func feed(_ call: Call) async throws -> Response {
    var query = call.query
    let name = query.text("author") { (text) in text }
    let tag = query.text("tag") { (text) in try Tag(text) }
    if query.has("tag"), query.has("author") {
      query.reject("author", code: "not-together", "Cannot be combined with tag.")
    }
    try query.finish()
    do { return try await feed(author: name, tag) } catch MemeError.notFound {
      guard let name else { throw MemeError.notFound }
      return try await redirect(fromFormer: Username(listed: name))
    }
  }

  private func feed(author name: String?, _ tag: Tag?) async throws -> Response {
    let (subject, scope) = try await contents(author: name, tag)
    let page = try await memes.page(MemeListing(for: .anonymous, scope, limit: Self.count))
    let body = Bytes(
      AtomFeed(address: address, subject: subject, memes: page.items).document.text)
    var response = Response(.ok, "application/atom+xml; charset=utf-8", body)
      .with(.etag, HeaderValue("\"\(context.digest(body).tag)\""))
      .with(.cacheControl, "private, no-cache")
    response.listed = page.items.map(\.id.uuid)
    return response
  }

  /// A redirect to the feed of the person who had this username until recently. Feed readers drop a feed after a 404.
  ///
  /// - Throws: `notFound` if there is no such person.
  private func redirect(fromFormer name: Username) async throws -> Response {
    let current = try await relations.currentUsername(
      ofFormer: name, for: .anonymous, at: context.now())
    guard let current else { throw MemeError.notFound }
    // Later, the name may be someone else's.
    return Response(.permanentRedirect)
      .with(.location, HeaderValue("\(context.basePath)/memes.atom?author=\(current)"))
      .with(.cacheControl, "no-store")
  }

  /// - Throws: `notFound` if there is no such user.
  private func contents(
    author name: String?, _ tag: Tag?
  ) async throws -> (AtomFeed.Subject, MemeListing.Scope) {
    if let tag { return (.tag(tag), .tagged(tag)) }
    guard let name else { return (.everyones, .everybodys) }
    let user = try await relations.profile(Username(listed: name), for: .anonymous).user
    let author = Author(id: user.id, username: user.username, displayName: user.displayName)
    return (.author(author), .author(.person(user.id)))
  }
}
