/// A tag of public memes.
public struct Tag: Sendable, Hashable, Codable {
  /// Letters, digits and hyphens, in lowercase.
  public var tag: String
  /// The number of public memes with the tag; 500 means 500 or more.
  public var memes: Int
}

extension MemeMeClient {
  /// Returns tags of public memes, the most frequent first.
  ///
  /// - Parameters:
  ///   - beginning: The beginning of the tags; `nil` for the tags of the newest memes.
  ///   - limit: The maximum number of tags, from 1 to 100. The default is 30, and the server considers at most 40.
  public func tags(beginning: String? = nil, limit: Int? = nil) async throws -> [Tag] {
    var call = Call(.listTags)
    call.query = ["q": beginning, "limit": limit.map(String.init)]
    let page: Page<Tag> = try await value(call)
    return page.items
  }
}
