extension Headers {
  /// The values of the cookies of a name (RFC 6265 §5.4), in the order in which they were sent.
  ///
  /// A browser sends more than one where somebody else could set one of the same name, and which is which does not show.
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
