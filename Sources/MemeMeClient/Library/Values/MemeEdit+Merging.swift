// Merging edits.

extension MemeEdit {
  /// The fields of a new meme as an edit.
  init(_ fields: MemeFields) {
    self.init(top: fields.top, bottom: fields.bottom)
    captions = Change(fields.captions)
    pictures = Change(fields.pictures)
    altText = Change(fields.altText)
    tags = Change(fields.tags)
    maxEdge = Change(fields.maxEdge)
    format = Change(fields.format)
    layout = Change(fields.layout)
    font = Change(fields.font)
    fill = Change(fields.fill)
    outline = Change(fields.outline)
    outlineWidth = Change(fields.outlineWidth)
    size = Change(fields.size)
    self.case = Change(fields.case)
    align = Change(fields.align)
    sameSize = Change(fields.sameSize)
    crop = Change(fields.crop)
    visibility = Change(fields.visibility)
  }

  /// The edit as the fields of a new meme.
  var fields: MemeFields {
    var fields = MemeFields(
      top: top.value, bottom: bottom.value, captions: captions.value, visibility: visibility.value)
    fields.pictures = pictures.value
    fields.altText = altText.value
    fields.tags = tags.value
    fields.maxEdge = maxEdge.value
    fields.format = format.value
    fields.layout = layout.value
    fields.font = font.value
    fields.fill = fill.value
    fields.outline = outline.value
    fields.outlineWidth = outlineWidth.value
    fields.size = size.value
    fields.case = self.case.value
    fields.align = align.value
    fields.sameSize = sameSize.value
    fields.crop = crop.value
    return fields
  }

  /// Whether the edit replaces the picture under the captions.
  var changesPicture: Bool { upload != .keep || template != .keep || remix != .keep }

  /// Combines consecutive edits.
  init(_ edits: some Sequence<MemeEdit?>) {
    self = edits.reduce(MemeEdit()) { edit, later in later.map(edit.followed) ?? edit }
  }

  /// Whether the edit sets captions in boxes, so that the server empties the top and the bottom.
  var setsBoxes: Bool { captions.value?.isEmpty == false }

  /// Whether the edit sets a text at the top or bottom, so that the server removes the boxes.
  var setsEdges: Bool { [top, bottom].contains { $0.value?.isEmpty == false } }

  /// The fields that the edit resets and for which a new meme gets the user's settings. So the creation of a meme
  /// cannot reset them: an edit gives the server's default.
  var resetsOfSettings: MemeEdit {
    var resets = MemeEdit()
    if layout == .reset { resets.layout = .reset }
    if font == .reset { resets.font = .reset }
    if fill == .reset { resets.fill = .reset }
    if outline == .reset { resets.outline = .reset }
    if outlineWidth == .reset { resets.outlineWidth = .reset }
    if size == .reset { resets.size = .reset }
    if self.case == .reset { resets.case = .reset }
    if align == .reset { resets.align = .reset }
    if visibility == .reset { resets.visibility = .reset }
    return resets
  }

  /// Combines this edit with the one that follows it. The server makes the same meme of the combination as of both.
  func followed(by later: MemeEdit) -> MemeEdit {
    var edit = self
    edit.takeCaptions(of: later)
    edit.pictures = pictures.followed(by: later.pictures)
    edit.take(\.altText, of: later)
    edit.take(\.tags, of: later)
    edit.take(\.maxEdge, of: later)
    edit.take(\.format, of: later)
    edit.take(\.layout, of: later)
    edit.take(\.font, of: later)
    edit.take(\.fill, of: later)
    edit.take(\.outline, of: later)
    edit.take(\.outlineWidth, of: later)
    edit.take(\.size, of: later)
    edit.take(\.case, of: later)
    edit.take(\.align, of: later)
    edit.take(\.sameSize, of: later)
    edit.take(\.crop, of: later)
    edit.take(\.visibility, of: later)
    return edit
  }

  /// Top and bottom captions exclude caption boxes: each replaces the other, and the server rejects both together.
  private mutating func takeCaptions(of later: MemeEdit) {
    let (hadBoxes, hadEdges) = (setsBoxes, setsEdges)
    let hadList = captions.value != nil
    take(\.top, of: later)
    take(\.bottom, of: later)
    take(\.captions, of: later)
    // What the earlier captions replaced does not come back when they are removed.
    if later.setsBoxes {
      (top, bottom) = (later.top, later.bottom)
    } else if hadBoxes, later.setsEdges || later.captions != .keep {
      captions = .set([])
      if later.top == .keep { top = .set("") }
      if later.bottom == .keep { bottom = .set("") }
    }
    // A reset and not an empty list, because a new meme for which a list is sent ignores the layout of the settings.
    if hadEdges, !setsEdges, captions == .keep { captions = .reset }
    if !hadList, captions == .set([]) { captions = .reset }
  }

  private mutating func take<Value: Equatable>(
    _ field: WritableKeyPath<MemeEdit, Change<Value>>, of later: MemeEdit
  ) {
    if later[keyPath: field] != .keep { self[keyPath: field] = later[keyPath: field] }
  }
}

extension Change<[PictureBox.New]> {
  /// Combines this change with the one that follows it. A later box may keep a picture of an earlier one.
  fileprivate func followed(by later: Self) -> Self {
    guard case .set(let boxes) = later else { return later == .keep ? self : later }
    guard case .set(let earlier) = self else { return later }
    return .set(
      boxes.map { box in
        guard case .kept(let index) = box.source, earlier.indices.contains(index) else {
          return box
        }
        return PictureBox.New(earlier[index].source, in: box.box)
      })
  }
}

extension Change {
  init(_ value: Value?) { self = value.map(Change.set) ?? .keep }

  /// The new value, if the change sets one.
  var value: Value? {
    guard case .set(let value) = self else { return nil }
    return value
  }
}
