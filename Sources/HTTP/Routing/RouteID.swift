/// Which route a request goes to, for whoever keeps a record of requests.
package struct RouteMark: Hashable, Sendable {
  /// Such as `/memes/{id}`; routes that differ in their method alone share it.
  package let pattern: String
  /// The pattern's place among those of the service: counting by it needs no search.
  package let index: Int

  package init(pattern: String, index: Int) { (self.pattern, self.index) = (pattern, index) }
}
