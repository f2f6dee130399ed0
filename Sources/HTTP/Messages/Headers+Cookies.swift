extension Headers {
  /// The values of the cookies with this name (RFC 6265 §5.4), in the order in which the client sent them.
  ///
  /// A browser sends several if another party has set a cookie with the same name. The field
  /// does not show the source of a cookie.
  package func cookies(named name: String) -> [String] {
    var found: [String] = []
    for field in fields where field.name == .cookie {
      for pair in field.value.text.utf8.split(separator: UInt8(ascii: ";")) {
        let pair = Substring(pair).trimmingSpaces().utf8
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")),
          pair[..<equals].elementsEqual(name.utf8)
        else { continue }
        found.append(String(Substring(pair[equals...].dropFirst())))
      }
    }
    return found
  }
}
