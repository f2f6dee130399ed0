import HTTP
import Memes

/// The lists of memes: `GET /memes`, those of one author, and the feed.
extension MemeRoutes {
  private enum Sort: String, CaseIterable { case newest, oldest, popular }

  func list(_ call: Call) async throws -> Response {
    var query = call.query
    let name = query.text("author") { (text) throws(InvalidValue) in text }
    let sought = query.text("q", SearchQuery.init)
    let sort = query.word("sort", Sort.self)
    if sort == .popular {
      for field in ["author", "q"] where query.has(field) {
        query.reject(field, code: "not-together", "What is popular is of everybody and whatever it says.")
      }
    }
    let sent = query.address(of: ["author", "q", "sort"])
    return try await list(call, "/memes?\(sent)", &query) {
      let author = try name.map { name throws(Problem) -> MemeListing.Author in
        guard name == "me" else { return .named(try Username(listed: name)) }
        return .person(try call.signedIn().person)
      }
      switch (sought?.words, sort) {
      case (_, .popular): return .popular
      case (nil, .oldest): return .oldest(by: author)
      case (nil, _): return .newest(by: author)
      case (let words?, nil): return .matching(words, by: author, .worth)
      case (let words?, .newest): return .matching(words, by: author, .newest)
      case (let words?, .oldest): return .matching(words, by: author, .oldest)
      }
    }
  }

  func listOfAuthor(_ call: Call) async throws -> Response {
    var query = call.query
    let username = try Username(listed: call.parameters["username"] ?? "")
    return try await list(call, "/users/\(username)/memes?", &query) {
      .newest(by: .named(username))
    }
  }

  func feed(_ call: Call) async throws -> Response {
    var query = call.query
    let person = try call.signedIn().person
    return try await list(call, "/feed?", &query) { .feed(of: person) }
  }

  /// - Parameters:
  ///   - address: of the list, with what of its query stays on every page.
  ///   - kind: is asked for when the query is known to be valid.
  private func list(
    _ call: Call, _ address: String, _ query: inout FieldReader,
    kind: () throws -> MemeListing.Kind
  ) async throws -> Response {
    let view = query.word("view", ListView.self) ?? .full
    let limit = query.number("limit", PageLimit.init) ?? .standard
    let cursor = query.text("cursor") { (text) throws(InvalidValue) in text }
    try query.finish()
    let listed = try kind()
    let position = try cursor.map { text throws(Problem) in
      listed.isRanked ? try ListCursor.decodeRanked(text) : try ListCursor.decode(text)
    }
    let listing = MemeListing(for: call.viewer, listed, after: position, limit: limit.count)
    let next = "\(json.basePath)\(address)view=\(view.rawValue)&limit=\(limit.count)"
    switch view {
    case .full:
      let page = try await browsing.page(listing)
      return response(page, view, next) { json.write($0, for: call.viewer, to: &$1) }
    case .table:
      let page = try await browsing.tableRows(listing)
      return response(page, view, next) { json.write($0, to: &$1) }
    case .grid:
      let page = try await browsing.gridCells(listing)
      return response(page, view, next) { json.write($0, to: &$1) }
    }
  }

  /// - Parameter address: of the next page, but for its cursor.
  private func response<Item>(
    _ page: Page<Item>, _ view: ListView, _ address: String,
    write: (Item, inout JSONWriter) -> Void
  ) -> Response {
    let cursor = page.next.map(ListCursor.encode)
    var writer = JSONWriter(capacity: view.usualBytes * (page.items.count + 1))
    writer.object { writer in
      writer.array("items") { writer in
        for item in page.items { write(item, &writer) }
      }
      writer.member("nextCursor", cursor)
    }
    let body = writer.finish()
    var response = Response(.ok, "application/json", body)
    response.headers[.etag] = HeaderValue("\"\(digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    if let cursor {
      response.headers[.link] = HeaderValue("<\(address)&cursor=\(cursor)>; rel=\"next\"")
    }
    return response
  }

  private enum ListView: String, CaseIterable {
    case full, table, grid

    /// What one item takes, captions included.
    var usualBytes: Int {
      switch self {
      case .full: 1536
      case .table: 512
      case .grid: 384
      }
    }
  }
}

extension FieldReader {
  /// Those of these fields that were sent, as an address has them, with an ampersand behind each.
  fileprivate func address(of names: [String]) -> String {
    names.compactMap { name in sentText(name).map { "\(name)=\($0.percentEncoded)&" } }.joined()
  }
}

extension Username {
  /// A name in an address or a query.
  ///
  /// - Throws: 404 where nobody can have it.
  init(listed text: String) throws(Problem) {
    do throws(InvalidValue) { try self.init(text) } catch { throw Problem(.notFound) }
  }
}
