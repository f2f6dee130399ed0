extension Meme {
  private static let maximumTitleCharacters = 200
  private static let maximumTitleBytes = 2000

  /// The meme in one line, for where it is told of: its captions, or what describes it where there are none. Cut where it is
  /// very long.
  package var title: String {
    let line =
      AltText.captions(top, bottom)
      ?? altText.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    var title = line.prefix(Self.maximumTitleCharacters)
    while title.utf8.count > Self.maximumTitleBytes { title.removeLast() }
    return title.count < line.count ? title + "…" : String(title)
  }
}
