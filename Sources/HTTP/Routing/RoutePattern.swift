/// The shape of a path: literal segments, and parameters that match any single segment, as in `/memes/{id}/image`. The
/// last parameter may match all segments that are left.
package struct RoutePattern: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    case literal(String)
    case parameter(String)
    /// One segment or more, at the end.
    case rest(String)
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

  /// The same pattern, whose last parameter matches all segments that are left. The text stays the same, because the
  /// contract has no other way to write it.
  package var matchingRest: RoutePattern {
    guard case .parameter(let name) = segments.last else { return self }
    return RoutePattern(text, segments.dropLast() + [.rest(name)])
  }

  private init(_ text: String, _ segments: [Segment]) {
    (self.text, self.segments) = (text, segments)
  }
}

extension RoutePattern: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}
