extension Meme {
  private static let maximumTitleCharacters = 200
  private static let maximumTitleBytes = 2000

  /// The meme on one line: its captions, or the alt text if it has none. Long titles are truncated.
  package var title: String {
    let description = altText.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var line = AltText.line(of: recipe.texts) ?? description
    if line.isEmpty { line = AltText(describing: []).text }
    var title = line.prefix(Self.maximumTitleCharacters)
    while title.utf8.count > Self.maximumTitleBytes { title.removeLast() }
    guard title.endIndex < line.endIndex else { return line }
    if title.last == " " { title.removeLast() }
    return title + "…"
  }
}
