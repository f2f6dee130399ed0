/// The shape of a path: literal segments, and parameters that match any single segment, as in `/memes/{id}/image`.
package struct RoutePattern: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  package let text: String
  package let segments: [Segment]

  /// - Parameter text: begins with a slash. A parameter is a name in braces.
  package init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/").map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
    }
  }
}

extension RoutePattern: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}
