/// The text that screen readers read instead of the picture: up to 1000 characters.
package struct AltText: Hashable, Sendable {
  package static let maximumCharacters = 1000
  /// The limit in bytes. It is checked before the characters are counted.
  package static let maximumBytes = 16_384

  package let text: String

  package init(_ text: String) throws(InvalidValue) {
    try text.checkBounds(characters: Self.maximumCharacters, bytes: Self.maximumBytes)
    self.text = try text.keptAsTyped()
  }

  /// Creates a text that was valid when it was stored.
  package init(stored text: String) { self.text = text }

  /// The default alt text: the captions in order, truncated to the maximum length.
  package init(describing captions: [CaptionText]) {
    text = Self.line(of: captions) ?? "A picture without a caption."
  }

  /// The text on one line. Empty if the text is blank.
  var line: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// The captions on one line; `nil` if all are blank.
  static func line(of captions: [CaptionText]) -> String? {
    let captions = captions.filter { !$0.isBlank }.map {
      $0.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    guard !captions.isEmpty else { return nil }
    return String(captions.joined(separator: " – ").prefix(maximumCharacters))
      .prefixed(toBytes: maximumBytes)
  }

  /// The first caption that is not blank, on one line; `nil` if all are blank.
  static func line(ofFirst captions: [CaptionText]) -> String? {
    captions.first { !$0.isBlank }.flatMap { line(of: [$0]) }
  }
}

extension String {
  /// The longest prefix of whole characters that has at most this many bytes.
  fileprivate func prefixed(toBytes limit: Int) -> String {
    var text = self
    while text.utf8.count > limit { text.removeLast() }
    return text
  }
}
