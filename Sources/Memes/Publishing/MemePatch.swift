/// What an edit does to a field (RFC 7396).
package enum FieldChange<Value: Sendable>: Sendable {
  /// The request omits the field.
  case keep
  /// The request sends `null`: the field returns to its default.
  case reset
  case set(Value)

  /// The new value; `nil` if the request sends none.
  package var value: Value? { if case .set(let value) = self { value } else { nil } }

  /// The field after the edit, if its default is no value.
  package func applied(to base: Value?) -> Value? {
    switch self {
    case .keep: base
    case .reset: nil
    case .set(let value): value
    }
  }

  /// The field after the edit.
  package func applied(to base: Value, standard: Value) -> Value {
    switch self {
    case .keep: base
    case .reset: standard
    case .set(let value): value
    }
  }
}

/// A request to edit a meme, before the meme is known.
package struct MemePatch: Sendable {
  /// Replaces the original picture; `nil` keeps it.
  package var picture: PictureSource?
  package var recipe = RecipePatch()
  package var pictures = FieldChange<[BoxedPicture]>.keep
  package var altText = FieldChange<AltText>.keep
  package var tags = FieldChange<[Tag]>.keep
  /// The name of the format as sent. Which formats this machine can write is known only when the patch is applied.
  package var format = FieldChange<String>.keep
  package var visibility = FieldChange<Visibility>.keep
  /// The faults of the request alone. A field that cannot be read is `keep`. The error is thrown when the patch is
  /// applied, because the client must first be allowed to edit the meme.
  package var faults: [Section: [FieldFault]] = [:]

  package init() {}

  /// A part of the request. The faults of an earlier part come first in the error.
  package enum Section: CaseIterable, Sendable {
    case picture, recipe, pictures, altText, tags, format, visibility
  }
}

/// Changes to a recipe.
package struct RecipePatch: Sendable {
  package var layout = FieldChange<CaptionLayout>.keep
  package var sameSize = FieldChange<Bool>.keep
  package var style = StylePatch()
  package var crop = FieldChange<Crop>.keep
  package var maxEdge = FieldChange<MaxEdge>.keep
  package var top = FieldChange<CaptionText>.keep
  package var bottom = FieldChange<CaptionText>.keep
  package var captions = FieldChange<[CaptionBox]>.keep

  package init() {}

  /// Whether the request sends a text for the top or the bottom.
  package var setsEdges: Bool {
    [top, bottom].contains { $0.value.map { !$0.text.isEmpty } ?? false }
  }

  /// Whether the request sends captions in boxes.
  package var setsBoxes: Bool { captions.value.map { !$0.isEmpty } ?? false }
}

/// Changes to the chosen parts of a style.
package struct StylePatch: Sendable {
  package var font = FieldChange<FontID>.keep
  package var fill = FieldChange<Color>.keep
  package var outline = FieldChange<Color>.keep
  package var outlineWidth = FieldChange<Double>.keep
  package var size = FieldChange<Double>.keep
  package var letterCase = FieldChange<CaptionStyle.LetterCase>.keep
  package var align = FieldChange<CaptionStyle.Alignment>.keep

  package init() {}
}

extension StyleChoices {
  /// The choices after an edit.
  package func applying(_ patch: StylePatch) -> StyleChoices {
    var choices = StyleChoices()
    choices.font = patch.font.applied(to: font)
    choices.fill = patch.fill.applied(to: fill)
    choices.outline = patch.outline.applied(to: outline)
    choices.outlineWidth = patch.outlineWidth.applied(to: outlineWidth)
    choices.size = patch.size.applied(to: size)
    choices.letterCase = patch.letterCase.applied(to: letterCase)
    choices.align = patch.align.applied(to: align)
    return choices
  }
}

extension Recipe {
  /// The recipe after an edit. Check ``captionsFault`` afterwards.
  ///
  /// Boxes replace the top and the bottom caption, and vice versa.
  package func applying(_ patch: RecipePatch) -> Recipe {
    var recipe = self
    recipe.layout = patch.layout.applied(to: layout, standard: .overlay)
    recipe.sameSize = patch.sameSize.applied(to: sameSize, standard: false)
    recipe.choices = choices.applying(patch.style)
    recipe.crop = patch.crop.applied(to: crop)
    recipe.maxEdge = patch.maxEdge.applied(to: maxEdge)
    recipe.top = patch.top.applied(to: top, standard: .empty)
    recipe.bottom = patch.bottom.applied(to: bottom, standard: .empty)
    recipe.captions = patch.captions.applied(to: captions, standard: [])
    if patch.setsBoxes {
      (recipe.top, recipe.bottom) = (.empty, .empty)
    } else if patch.setsEdges {
      recipe.captions = []
    }
    return recipe
  }

  /// Why the field `captions` does not fit the layout; `nil` if it does.
  package var captionsFault: InvalidValue? {
    guard layout == .bar, !captions.isEmpty else { return nil }
    return InvalidValue(
      code: "not-together", message: "layout=bar only supports top and bottom.")
  }
}

extension Revision {
  /// The state after an edit.
  ///
  /// - Parameters:
  ///   - hasAuthor: whether the meme has an author. A meme without one must stay public.
  ///   - formats: the formats that this machine can write. A kept format that is not among them is reset.
  /// - Throws: all invalid fields of the request: those that could not be read, and those that do not fit the meme.
  package func applying(
    _ patch: MemePatch, hasAuthor: Bool, formats: [OutputFormat]
  ) throws(InvalidFields) -> Revision {
    var (revised, faults) = (self, patch.faults)
    revised.picture = patch.picture
    // The crop is in pixels of the previous picture.
    if patch.picture != nil { revised.recipe.crop = nil }
    revised.recipe = revised.recipe.applying(patch.recipe)
    revised.take(patch.pictures, &faults[.pictures, default: []])
    if let fault = revised.recipe.captionsFault {
      faults[.recipe, default: []].append(FieldFault("captions", fault))
    }
    revised.altText = patch.altText.applied(to: altText)
    revised.tags = patch.tags.applied(to: tags, standard: [])
    switch patch.format {
    // A new picture gets the format that suits it.
    case .keep where patch.picture == nil:
      revised.format = format.flatMap { formats.contains($0) ? $0 : nil }
    case .keep, .reset: revised.format = nil
    case .set(let name):
      revised.format = formats.first { $0.rawValue == name }
      if revised.format == nil {
        let fault = InvalidValue.notAllowed(among: formats.map(\.rawValue))
        faults[.format, default: []].append(FieldFault("format", fault))
      }
    }
    revised.visibility = patch.visibility.applied(to: visibility, standard: .public)
    if let fault = patch.visibility.value?.fault(hasAuthor: hasAuthor) {
      faults[.visibility, default: []].append(FieldFault("visibility", fault))
    }
    let all = MemePatch.Section.allCases.flatMap { faults[$0] ?? [] }
    guard all.isEmpty else { throw InvalidFields(all) }
    return revised
  }
}

extension Revision {
  /// Replaces the pictures in boxes, unless all of them stay and only their boxes change.
  fileprivate mutating func take(
    _ change: FieldChange<[BoxedPicture]>, _ faults: inout [FieldFault]
  ) {
    if case .keep = change { return }
    let (pictures, before) = (change.value ?? [], recipe.pictures.indices)
    for (index, picture) in pictures.enumerated() {
      guard case .kept(let kept) = picture.source, !before.contains(kept) else { continue }
      faults.append(
        FieldFault(
          "pictures[\(index)].kept",
          InvalidValue(code: "out-of-range", message: "The meme has no such picture.")))
    }
    recipe.pictures = pictures.map(\.box)
    let sources = pictures.map(\.source)
    boxed = sources == before.map(BoxedPicture.Source.kept) ? nil : sources
  }
}

/// An edit requires another version of the meme.
package struct MemeVersionMismatch: Error {
  /// The meme as the viewer sees it, so that the client can merge the changes without another request; `nil` if the
  /// viewer no longer sees it.
  package let current: Meme?

  package init(current: Meme?) { self.current = current }
}
