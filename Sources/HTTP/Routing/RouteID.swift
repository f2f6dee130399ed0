/// The route of a request, for code that records requests.
package struct RouteID: Hashable, Sendable {
  /// For example `/memes/{id}`. Routes that differ only in their method share it.
  package let pattern: String
  /// The pattern's position among those of the service, which allows counting without a lookup.
  package let index: Int

  package init(pattern: String, index: Int) { (self.pattern, self.index) = (pattern, index) }
}
