/// The content codings that a client accepts in a response (RFC 9110 §12.5.3).
package struct AcceptEncoding: Sendable {
  private let codings: [(name: Substring, isTaken: Bool)]

  /// - Parameter text: the value of the `Accept-Encoding` field. If it is `nil`, the client accepts no coding.
  package init(_ text: String?) {
    codings = (text ?? "").lowercased().split(separator: ",").prefix(32).compactMap { item in
      let parts = item.split(separator: ";").map { $0.trimmingSpaces() }
      guard let name = parts.first else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
        .map { Double($0.dropFirst(2)) ?? 0 }
      return (name, quality ?? 1 > 0)
    }
  }

  /// Whether a response may use this coding. The name is in lowercase.
  package func takes(_ coding: String) -> Bool {
    (codings.first { $0.name == coding } ?? codings.first { $0.name == "*" })?.isTaken ?? false
  }
}
