import Bytes
import HTTP
import Memes
package import Storage

/// Lists of memes: `GET /memes`, an author's memes, the remixes of a meme, the user's favorites, and the feed.
package struct MemeListRoutes: Sendable {
  private let memes: MemeStore
  private let context: APIContext
  private let json: MemeJSON

  package init(memes: MemeStore, context: APIContext) {
    (self.memes, self.context) = (memes, context)
    json = MemeJSON(basePath: context.basePath)
  }

  package var routes: [Route] {
    [
      Route(
        .get, "/memes", access: .viewer, limit: .search, counting: ["q"],
        query: ["author", "q", "tag", "sort", "view", "limit", "cursor"],
        cachePolicy: .untilMemesChange,
        list),
      Route(
        .get, "/feed", access: .person, takesTokens: true, query: ["view", "limit", "cursor"], feed),
      Route(
        .get, "/users/{username}/memes", access: .viewer, query: ["view", "limit", "cursor"],
        cachePolicy: .untilMemesChange, listOfAuthor),
      Route(
        .get, "/memes/{id}/remixes", access: .viewer, query: ["view", "limit", "cursor"],
        listOfRemixes),
      Route(
        .get, "/users/me/favorites", access: .person, takesTokens: true,
        query: ["view", "limit", "cursor"],
        listOfFavorites),
    ]
  }

  private enum Sort: String, CaseIterable { case newest, oldest, popular }

  private func list(_ call: Call) async throws -> Response {
    var query = call.query
    let name = query.text("author") { (text) in text }
    let sought = query.text("q", SearchQuery.init)
    let tag = query.text("tag") { (text) in try Tag(text) }
    let sort = query.word("sort", Sort.self)
    for field in ["author", "q"] where query.has("tag") && query.has(field) {
      query.reject(field, code: "not-together", "Cannot be combined with tag.")
    }
    if sort == .popular {
      for field in ["author", "q", "tag"] where query.has(field) {
        query.reject(field, code: "not-together", "Cannot be combined with sort=popular.")
      }
    }
    let sent = query.address(of: ["author", "q", "tag", "sort"])
    let order = sort.flatMap { MemeListing.Order(rawValue: $0.rawValue) }
    return try await list(call, "/memes?\(sent)", &query, order) {
      if sort == .popular { return .popular }
      if let tag { return .tagged(tag) }
      let author = try name.map { name throws -> MemeListing.Author in
        guard name == "me" else { return .named(try Username(listed: name)) }
        return .person(try call.signedIn().person)
      }
      if let sought { return .matching(sought.words, by: author) }
      return author.map(MemeListing.Scope.author) ?? .everybodys
    }
  }

  private func listOfAuthor(_ call: Call) async throws -> Response {
    var query = call.query
    let username = try call.username()
    return try await list(call, "/users/\(username)/memes?", &query) { .author(.named(username)) }
  }

  private func listOfFavorites(_ call: Call) async throws -> Response {
    var query = call.query
    return try await list(call, "/users/me/favorites?", &query) { .favorites }
  }

  private func listOfRemixes(_ call: Call) async throws -> Response {
    var query = call.query
    let id = try call.memeID()
    return try await list(call, "/memes/\(id)/remixes?", &query) { .remixes(of: id) }
  }

  private func feed(_ call: Call) async throws -> Response {
    var query = call.query
    return try await list(call, "/feed?", &query) { .feed }
  }

  /// - Parameters:
  ///   - path: the path of the list, with the query parameters that stay the same on every page.
  ///   - scope: called after the query has been validated.
  private func list(
    _ call: Call, _ path: String, _ query: inout FieldDecoder, _ order: MemeListing.Order? = nil,
    scope: () throws -> MemeListing.Scope
  ) async throws -> Response {
    let view = query.word("view", ListView.self) ?? .full
    let (limit, cursor) = query.page()
    try query.finish()
    var listing = MemeListing(for: call.viewer, try scope(), order, limit: limit.count)
    listing.position = try cursor.map { try ListCursor.decode($0, by: listing.ranking) }
    let address = "\(path)view=\(view.rawValue)"
    switch view {
    case .full:
      let page = try await memes.page(listing)
      return response(page, \.id, view, address, limit) {
        json.write($0, for: call.viewer, to: &$1)
      }
    case .table:
      let page = try await memes.tableRows(listing)
      return response(page, \.id, view, address, limit) { json.write($0, to: &$1) }
    case .grid:
      let page = try await memes.gridCells(listing)
      return response(page, \.id, view, address, limit) { json.write($0, to: &$1) }
    }
  }

  private func response<Item>(
    _ page: Page<Item>, _ id: KeyPath<Item, MemeID>, _ view: ListView, _ address: String,
    _ limit: PageLimit, write: (Item, inout JSONWriter) -> Void
  ) -> Response {
    var response = ListResponse(context, usualBytes: view.usualBytes)
      .response(page, at: address, limit: limit, write: write)
    response.listed = page.items.map { $0[keyPath: id].uuid }
    return response
  }

  private enum ListView: String, CaseIterable {
    case full, table, grid

    /// The expected size of one item in bytes, including captions.
    var usualBytes: Int {
      switch self {
      case .full: 1536
      case .table: 512
      case .grid: 384
      }
    }
  }
}

extension FieldDecoder {
  /// The sent fields among `names` as part of a URL's query. An ampersand follows each of them.
  fileprivate func address(of names: [String]) -> String {
    names.compactMap { name in sentText(name).map { "\(name)=\($0.percentEncoded)&" } }.joined()
  }
}

extension Username {
  /// Reads a username from a path or query.
  ///
  /// - Throws: `notFound` if the text is not a valid username.
  init(listed text: String) throws(Problem) {
    do throws(InvalidValue) { try self.init(text) } catch { throw Problem(.notFound) }
  }
}
