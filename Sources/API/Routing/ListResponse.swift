import HTTP
import Memes

/// Creates the response for a page of a list: its items, and the URL of the next page.
struct ListResponse: Sendable {
  private let context: APIContext
  private let usualBytes: Int

  /// - Parameter usualBytes: the expected size of one item, in bytes.
  init(_ context: APIContext, usualBytes: Int = 512) {
    (self.context, self.usualBytes) = (context, usualBytes)
  }

  /// - Parameters:
  ///   - address: the path of the list, with its query parameters except `limit` and `cursor`.
  ///   - rest: writes further members of the response.
  func response<Item>(
    _ page: Page<Item>, at address: String, limit: PageLimit,
    write: (Item, inout JSONWriter) -> Void, and rest: (inout JSONWriter) -> Void = { _ in }
  ) -> Response {
    response(
      page.items, next: page.next.map(ListCursor.encode), at: address, limit: limit, write: write
    ) { writer in
      if !page.isComplete { writer.member("complete", false) }
      rest(&writer)
    }
  }

  /// Creates the response for a list with its own cursor format.
  func response<Item>(
    _ items: [Item], next cursor: String?, at address: String, limit: PageLimit,
    write: (Item, inout JSONWriter) -> Void, and rest: (inout JSONWriter) -> Void = { _ in }
  ) -> Response {
    var writer = JSONWriter(capacity: usualBytes * (items.count + 1))
    writer.object { writer in
      writer.array("items") { writer in
        for item in items { write(item, &writer) }
      }
      writer.member("nextCursor", cursor)
      rest(&writer)
    }
    let response = Response.revalidated(writer.finish(), context.digest)
    guard let cursor else { return response }
    let separator = address.contains("?") ? "&" : "?"
    let next = "\(context.basePath)\(address)\(separator)limit=\(limit.count)&cursor=\(cursor)"
    return response.with(.link, HeaderValue("<\(next)>; rel=\"next\""))
  }
}

extension FieldDecoder {
  /// Reads which page the client requests: the limit, and the cursor as sent.
  mutating func page() -> (limit: PageLimit, cursor: String?) {
    let limit = number("limit", PageLimit.init) ?? .standard
    return (limit, text("cursor") { (text) in text })
  }
}
