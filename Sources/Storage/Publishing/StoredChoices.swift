import Memes

/// The style properties that the author chose, as names in the column `chosen_style`. The names are part of the stored
/// data.
extension StyleChoices {
  var names: String {
    [
      font.map { _ in "font" }, fill.map { _ in "fill" }, outline.map { _ in "outline" },
      outlineWidth.map { _ in "outlineWidth" }, size.map { _ in "size" },
      letterCase.map { _ in "case" }, align.map { _ in "align" },
    ].compactMap(\.self).joined(separator: ",")
  }

  /// A property that differs from the default style counts as chosen, because the default was another one when the meme
  /// was drawn. So a meme looks the same after an edit of its texts.
  ///
  /// - Parameters:
  ///   - style: the complete style.
  ///   - names: `nil` for rows from before the column existed.
  ///   - standard: the default style of the layout.
  init(_ style: CaptionStyle, chosen names: String?, over standard: CaptionStyle) {
    self.init()
    // The most frequent case.
    if names == "", style == standard { return }
    let chosen = Set((names ?? "").split(separator: ","))
    func choice<Value: Equatable>(
      _ name: Substring, _ value: KeyPath<CaptionStyle, Value>
    ) -> Value? {
      let isChosen = chosen.contains(name) || style[keyPath: value] != standard[keyPath: value]
      return isChosen ? style[keyPath: value] : nil
    }
    (font, fill, outline) = (
      choice("font", \.font), choice("fill", \.fill), choice("outline", \.outline)
    )
    (outlineWidth, size) = (choice("outlineWidth", \.outlineWidth), choice("size", \.size))
    (letterCase, align) = (choice("case", \.letterCase), choice("align", \.align))
  }
}
