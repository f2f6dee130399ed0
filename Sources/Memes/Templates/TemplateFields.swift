/// The parts of a template that its author chooses.
package struct TemplateFields: Sendable, Equatable {
  package var name: TemplateName
  package var altText: AltText
  /// In the order in which texts fill them. Without boxes, the first text is at the top and the second at the bottom.
  package var boxes: [TemplateBox] = []
  /// The places for pictures, in the order in which those of an address fill them.
  package var pictures: [PictureBox] = []
  package var tags: [Tag] = []
  package var aliases: [TemplateAlias] = []
  package var source: TemplateSource?

  /// - Parameter altText: `nil` uses the name.
  package init(name: TemplateName, altText: AltText? = nil) {
    (self.name, self.altText) = (name, altText ?? AltText(stored: name.text))
  }
}

/// The places of a new template that are those of the meme or template from which its picture comes.
package struct CopiedPlaces: OptionSet, Sendable {
  package static let boxes = CopiedPlaces(rawValue: 1)
  package static let pictures = CopiedPlaces(rawValue: 2)

  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }
}

extension TemplateFields {
  /// The words by which searches find the template.
  package var searchBeginnings: Set<String> {
    ([name.text] + aliases.map(\.text) + tags.map(\.text)).reduce(into: []) { words, text in
      words.formUnion(SearchWords(text).beginnings)
    }
  }

  /// The recipe of a meme with these texts.
  ///
  /// - Parameter base: the recipe without captions.
  /// - Throws: an error of the field `texts` if there are more texts than places for them, or if the layout has no
  ///   boxes.
  package func recipe(filling texts: [CaptionText], over base: Recipe) throws(InvalidValue)
    -> Recipe
  {
    let places = boxes.isEmpty ? 2 : boxes.count
    guard texts.count <= places else {
      throw InvalidValue(code: "too-many", message: "The template has places for \(places) texts.")
    }
    var recipe = base
    guard !boxes.isEmpty else {
      recipe.captions = []
      recipe.top = texts.first ?? .empty
      recipe.bottom = texts.dropFirst().first ?? .empty
      return recipe
    }
    (recipe.top, recipe.bottom) = (.empty, .empty)
    recipe.captions = boxes.enumerated().map { index, box in
      var caption = box.box
      caption.text = texts.indices.contains(index) ? texts[index] : .empty
      return caption
    }
    if let fault = recipe.captionsFault { throw fault }
    return recipe
  }
}
