import Bytes

/// The `filename` parameter of a Content-Disposition field (RFC 2183), of any length and in any language.
enum FileNameParameter {
  private static let lineLength = 60

  /// Includes the preceding semicolon. A short ASCII name is written unchanged. Any other name is percent-encoded, in
  /// numbered sections (RFC 2231 §3, §4).
  static func text(_ name: String) -> String {
    let units = name.utf8.map {
      $0.isAttributeCharacter ? String(UnicodeScalar($0)) : "%\(Hexadecimal.pair($0))"
    }
    if units.count <= lineLength, units.allSatisfy({ $0.utf8.count == 1 }), !units.isEmpty {
      return "; filename=\(units.joined())"
    }
    var sections = ["UTF-8''"]
    for unit in units {
      if (sections.last?.utf8.count ?? 0) + unit.utf8.count > lineLength { sections.append("") }
      sections[sections.count - 1] += unit
    }
    return sections.enumerated().map { ";\r\n filename*\($0.offset)*=\($0.element)" }.joined()
  }
}

extension UInt8 {
  /// `attribute-char` of RFC 2231 §7.
  fileprivate var isAttributeCharacter: Bool {
    (0x21...0x7E).contains(self) && !"*'%()<>@,;:\\\"/[]?=".utf8.contains(self)
  }
}
