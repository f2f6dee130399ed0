extension Meme {
  private static let maximumTitleCharacters = 200
  private static let maximumTitleBytes = 2000

  /// The meme on one line: its captions, or the alt text if it has none. Long titles are truncated.
  package var title: String {
    var line = AltText.line(of: recipe.texts) ?? altText.line
    if line.isEmpty { line = AltText(describing: []).text }
    var title = line.prefix(Self.maximumTitleCharacters)
    while title.utf8.count > Self.maximumTitleBytes { title.removeLast() }
    guard title.endIndex < line.endIndex else { return line }
    if title.last == " " { title.removeLast() }
    return title + "…"
  }

  /// The title in a feed: the first caption, like ``TableRow/title``, or the alt text if all captions are blank.
  package var feedTitle: String {
    let line = AltText.line(ofFirst: recipe.texts) ?? altText.line
    return line.isEmpty ? "Meme" : line
  }
}
