/// The media types that a client accepts, with its preferences (RFC 9110 §12.5.1).
package struct Accept: Sendable {
  private let ranges: [(range: Substring, quality: Double)]

  /// - Parameter text: the value of the `Accept` field. If it is `nil`, empty or unreadable, every type is acceptable.
  package init(_ text: String?) {
    ranges = (text ?? "").lowercased().split(separator: ",").prefix(32).compactMap { item in
      let parts = item.split(separator: ";").map { $0.trimmingSpaces() }
      guard let range = parts.first, range.contains("/") else { return nil }
      let quality =
        parts.dropFirst().first { $0.hasPrefix("q=") }
        .map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      // Swift also reads "nan" as a number.
      return (range, quality.isNaN ? 0 : min(max(quality, 0), 1))
    }
  }

  /// Whether the client names this very type, not only a range that contains it.
  package func names(_ mediaType: String) -> Bool {
    ranges.contains { $0.range == mediaType }
  }

  /// The client's preference from 0 (not acceptable) to 1, by the most specific range that contains the type.
  package func quality(of mediaType: String) -> Double {
    guard !ranges.isEmpty else { return 1 }
    let type = mediaType.prefix { $0 != "/" }
    for wanted in [mediaType[...], Substring(type + "/*"), "*/*"] {
      if let match = ranges.first(where: { $0.range == wanted }) { return match.quality }
    }
    return 0
  }
}

extension Substring {
  /// The text without the spaces and tabs at both ends (optional whitespace in RFC 9110 §5.6.3).
  package func trimmingSpaces() -> Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...last]
  }
}
