import HTTP
import Memes

/// Answers with a page of a list: its items, and where the next page is.
struct ListAnswer: Sendable {
  let digest: Digester
  /// What every address in an answer begins with; no slash at its end.
  let basePath: String

  /// - Parameters:
  ///   - address: of the list, with what its query says beside `limit` and `cursor`.
  ///   - usualBytes: what one item takes.
  ///   - rest: writes what else the answer says.
  func response<Item>(
    _ page: Page<Item>, at address: String, limit: PageLimit, usualBytes: Int = 512,
    write: (Item, inout JSONWriter) -> Void, and rest: (inout JSONWriter) -> Void = { _ in }
  ) -> Response {
    response(
      page.items, next: page.next.map(ListCursor.encode), at: address, limit: limit,
      usualBytes: usualBytes, write: write
    ) { writer in
      if !page.isComplete { writer.member("complete", false) }
      rest(&writer)
    }
  }

  /// The same of a list that has cursors of its own.
  func response<Item>(
    _ items: [Item], next cursor: String?, at address: String, limit: PageLimit,
    usualBytes: Int = 512, write: (Item, inout JSONWriter) -> Void,
    and rest: (inout JSONWriter) -> Void = { _ in }
  ) -> Response {
    var writer = JSONWriter(capacity: usualBytes * (items.count + 1))
    writer.object { writer in
      writer.array("items") { writer in
        for item in items { write(item, &writer) }
      }
      writer.member("nextCursor", cursor)
      rest(&writer)
    }
    let body = writer.finish()
    var response = Response(.ok, "application/json", body)
    response.headers[.etag] = HeaderValue("\"\(digest(body).tag)\"")
    response.headers[.cacheControl] = "private, no-cache"
    if let cursor {
      let separator = address.contains("?") ? "&" : "?"
      let next = "\(basePath)\(address)\(separator)limit=\(limit.count)&cursor=\(cursor)"
      response.headers[.link] = HeaderValue("<\(next)>; rel=\"next\"")
    }
    return response
  }
}

extension FieldReader {
  /// Which page of a list is wanted: how many items, and the cursor as it was sent.
  mutating func page() -> (limit: PageLimit, cursor: String?) {
    let limit = number("limit", PageLimit.init) ?? .standard
    return (limit, text("cursor") { (text) throws(InvalidValue) in text })
  }
}
