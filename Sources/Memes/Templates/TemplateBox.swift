/// A predefined text box of a template.
package struct TemplateBox: Hashable, Sendable {
  /// The maximum number of characters of an example text. Lists of templates contain the boxes, so they are shorter
  /// than captions.
  package static let maximumCharacters = 120

  /// What the text is about, such as "Rejected"; `nil` if the box has no name.
  package let name: TemplateName?
  /// The position and the style. The text is an example.
  package let box: CaptionBox

  package init(name: TemplateName?, _ box: CaptionBox) { (self.name, self.box) = (name, box) }
}

extension CaptionText {
  /// Reads the example text of a box.
  package init(example text: String) throws(InvalidValue) {
    try text.checkBounds(
      characters: TemplateBox.maximumCharacters, bytes: TemplateBox.maximumCharacters * 16)
    try self.init(text)
  }
}

extension [TemplateBox] {
  /// The boxes of a template that is made from a meme, with its captions as examples. Empty if the meme has only a top
  /// and a bottom caption, as has a meme of a template without boxes.
  package init(of recipe: Recipe) {
    self = recipe.captions.map { caption in
      var box = caption
      box.text = CaptionText(stored: String(box.text.text.prefix(TemplateBox.maximumCharacters)))
      if box.text.text.utf8.count > TemplateBox.maximumCharacters * 16 { box.text = .empty }
      box.style = box.style.filled(from: recipe.choices)
      return TemplateBox(name: nil, box)
    }
  }
}

extension StyleChoices {
  /// These choices, and those of `other` where there are none.
  fileprivate func filled(from other: StyleChoices) -> StyleChoices {
    var choices = self
    choices.font = font ?? other.font
    choices.fill = fill ?? other.fill
    choices.outline = outline ?? other.outline
    choices.outlineWidth = outlineWidth ?? other.outlineWidth
    choices.size = size ?? other.size
    choices.letterCase = letterCase ?? other.letterCase
    choices.align = align ?? other.align
    return choices
  }
}
