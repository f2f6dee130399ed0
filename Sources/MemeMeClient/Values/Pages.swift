/// All items of a list, fetched page by page on demand.
///
///     for try await meme in Pages({ try await client.feed(after: $0) }) { … }
///
/// A loop that exits early fetches no further page. Each loop starts at the first page.
public struct Pages<Item: Sendable>: AsyncSequence, Sendable {
  private let page: @Sendable (Cursor?) async throws -> Page<Item>

  /// - Parameter page: Fetches the page at a cursor. The cursor of the first page is `nil`.
  public init(_ page: @escaping @Sendable (Cursor?) async throws -> Page<Item>) { self.page = page }

  public func makeAsyncIterator() -> Iterator { Iterator(page: page) }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let page: @Sendable (Cursor?) async throws -> Page<Item>
    private var items: ArraySlice<Item> = []
    private var cursor: Cursor?
    private var isAtEnd = false

    fileprivate init(page: @escaping @Sendable (Cursor?) async throws -> Page<Item>) {
      self.page = page
    }

    public mutating func next() async throws -> Item? {
      while items.isEmpty {
        guard !isAtEnd else { return nil }
        let page = try await page(cursor)
        items = page.items[...]
        cursor = page.nextCursor
        isAtEnd = page.nextCursor == nil
      }
      return items.popFirst()
    }
  }
}
