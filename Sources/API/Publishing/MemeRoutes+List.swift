import HTTP
import Memes

/// `GET /memes`, the same list of one author's, and that of one's favorites.
extension MemeRoutes {
  func list(_ call: Call) async throws -> Response {
    var query = call.query
    let name = query.text("author") { (text) throws(InvalidValue) in text }
    return try await list(call, "/memes", &query) {
      guard let name else { return .everybodys }
      guard name == "me" else { return .author(.named(try Username(listed: name))) }
      return .author(.person(try call.signedIn().person))
    }
  }

  func listOfAuthor(_ call: Call) async throws -> Response {
    var query = call.query
    let username = try Username(listed: call.parameters["username"] ?? "")
    return try await list(call, "/users/\(username)/memes", &query) { .author(.named(username)) }
  }

  func listOfFavorites(_ call: Call) async throws -> Response {
    var query = call.query
    return try await list(call, "/users/me/favorites", &query) { .favorites }
  }

  /// - Parameters:
  ///   - path: of the list.
  ///   - scope: is asked for when the query is known to be valid.
  private func list(
    _ call: Call, _ path: String, _ query: inout FieldReader,
    scope: () throws -> MemeListing.Scope
  ) async throws -> Response {
    let view = query.word("view", ListView.self) ?? .full
    let (limit, cursor) = query.page()
    let named = query.sentText("author").map { "author=\($0)&" } ?? ""
    try query.finish()
    let listing = MemeListing(
      for: call.viewer, try scope(), after: try cursor.map(ListCursor.decode), limit: limit.count)
    let address = "\(path)?\(named)view=\(view.rawValue)"
    switch view {
    case .full:
      let page = try await browsing.page(listing)
      return response(page, view, address, limit) { json.write($0, for: call.viewer, to: &$1) }
    case .table:
      let page = try await browsing.tableRows(listing)
      return response(page, view, address, limit) { json.write($0, to: &$1) }
    case .grid:
      let page = try await browsing.gridCells(listing)
      return response(page, view, address, limit) { json.write($0, to: &$1) }
    }
  }

  private func response<Item>(
    _ page: Page<Item>, _ view: ListView, _ address: String, _ limit: PageLimit,
    write: (Item, inout JSONWriter) -> Void
  ) -> Response {
    ListAnswer(digest: digest, basePath: json.basePath)
      .response(page, at: address, limit: limit, usualBytes: view.usualBytes, write: write)
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

extension Username {
  /// A name in an address or a query.
  ///
  /// - Throws: 404 where nobody can have it.
  init(listed text: String) throws(Problem) {
    do throws(InvalidValue) { try self.init(text) } catch { throw Problem(.notFound) }
  }
}
