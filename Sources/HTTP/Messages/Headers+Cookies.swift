extension Headers {
  /// The value of a cookie (RFC 6265 §5.4).
  ///
  /// - Returns: `nil` where it was not sent, or more than once: a browser does that where somebody else could set one of
  ///   the same name, and which is which does not show.
  package func cookie(named name: String) -> String? {
    var found: String?
    for field in fields where field.name == .cookie {
      for pair in field.value.text.utf8.split(separator: UInt8(ascii: ";")) {
        let pair = Substring(pair).trimmingSpaces().utf8
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
          pair[..<equals].elementsEqual(name.utf8)
        else { continue }
        guard found == nil else { return nil }
        found = String(Substring(pair[equals...].dropFirst()))
      }
    }
    return found
  }
}
