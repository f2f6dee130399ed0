import HTTP
import Memes

/// Creates the response for a page of a list: its items, and the URL of the next page.
struct ListResponse: Sendable {
  let digest: Digester
  /// The prefix of every URL in responses, without a trailing slash.
  let basePath: String

  /// - Parameters:
  ///   - address: the path of the list, with its query parameters except `limit` and `cursor`.
  ///   - usualBytes: the expected size of one item, in bytes.
  ///   - rest: writes further members of the response.
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

  /// Creates the response for a list with its own cursor format.
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

extension FieldDecoder {
  /// Reads which page the client requests: the limit, and the cursor as sent.
  mutating func page() -> (limit: PageLimit, cursor: String?) {
    let limit = number("limit", PageLimit.init) ?? .standard
    return (limit, text("cursor") { (text) in text })
  }
}
