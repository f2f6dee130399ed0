package import Bytes
import HTTP
package import Memes

/// Writes lists that ``MemeList`` can read. Each row contains everything that is necessary to create the meme again.
package struct MemeListText: Sendable {
  private let kind: MemeList.Kind

  /// - Parameter csv: whether to write CSV; otherwise JSON Lines.
  package init(csv: Bool) { kind = csv ? .csv : .jsonLines }

  /// The file name of the list.
  package var fileName: String { "memes.\(kind.rawValue)" }

  /// The text before the first row.
  package var head: Bytes {
    kind == .csv ? Bytes(Self.columns.map { "\($0)" }.joined(separator: ",") + "\r\n") : Bytes()
  }

  /// A list of pictures without captions, as JSON Lines.
  package static func list(ofFiles paths: [String]) -> Bytes {
    var writer = ByteWriter(capacity: 4096)
    for path in paths {
      var json = JSONWriter()
      json.object { $0.member("file", path) }
      json.finish().withUnsafeBytes { writer.append($0) }
      writer.append(UInt8(ascii: "\n"))
    }
    return writer.finish()
  }

  /// The paths of a meme's files, relative to the folder.
  package struct Paths: Sendable {
    let picture: String
    /// Of the pictures in boxes, in their order.
    let boxed: [String]

    package init(picture: String, boxed: [String] = []) {
      (self.picture, self.boxed) = (picture, boxed)
    }
  }

  package func row(_ meme: Meme, _ paths: Paths) -> Bytes {
    kind == .csv ? values(meme, paths) : object(meme, paths)
  }

  private static let columns: [StaticString] = [
    "file", "top", "bottom", "altText", "author", "createdAt", "visibility", "id", "captions",
    "layout", "font", "fill", "outline", "outlineWidth", "size", "case", "align", "crop", "maxEdge",
    "format", "tags", "pictures", "sameSize",
  ]

  private func values(_ meme: Meme, _ paths: Paths) -> Bytes {
    let (recipe, choices) = (meme.recipe, meme.recipe.listedChoices)
    let values: [String?] = [
      paths.picture, recipe.top.text, recipe.bottom.text, meme.writtenAltText?.text,
      meme.author?.username.text, meme.createdAt.description, meme.visibility.rawValue,
      meme.id.description, boxes(recipe), recipe.layout.rawValue, choices.font?.text,
      choices.fill?.description, choices.outline?.description, choices.outlineWidth?.description,
      choices.size?.description, choices.letterCase?.rawValue, choices.align?.rawValue,
      recipe.crop?.description, recipe.maxEdge?.pixels.description, meme.format?.rawValue,
      meme.tags.isEmpty ? nil : meme.tags.map(\.text).joined(separator: ","),
      pictures(recipe, paths), recipe.sameSize ? "true" : nil,
    ]
    var writer = ByteWriter(capacity: 512)
    for (index, value) in values.enumerated() {
      if index > 0 { writer.append(UInt8(ascii: ",")) }
      CSV.append(value ?? "", to: &writer)
    }
    writer.append("\r\n")
    return writer.finish()
  }

  private func pictures(_ recipe: Recipe, _ paths: Paths) -> String? {
    guard !recipe.pictures.isEmpty else { return nil }
    var json = JSONWriter()
    Self.write(recipe.pictures, paths, to: &json)
    return json.finish().utf8Text
  }

  private static func write(_ boxes: [PictureBox], _ paths: Paths, to json: inout JSONWriter) {
    json.array { json in
      for (box, path) in zip(boxes, paths.boxed) {
        json.object { json in
          json.member("file", path)
          MemeJSON.write(box, to: &json)
        }
      }
    }
  }

  private func boxes(_ recipe: Recipe) -> String? {
    guard !recipe.captions.isEmpty else { return nil }
    var json = JSONWriter()
    MemeJSON.write(recipe.captions, to: &json)
    return json.finish().utf8Text
  }

  private func object(_ meme: Meme, _ paths: Paths) -> Bytes {
    let (recipe, choices) = (meme.recipe, meme.recipe.listedChoices)
    var json = JSONWriter()
    json.object { json in
      json.member("file", paths.picture)
      json.member("top", recipe.top.text)
      json.member("bottom", recipe.bottom.text)
      json.member("altText", meme.writtenAltText?.text)
      json.member("author", meme.author?.username.text)
      json.member("createdAt", meme.createdAt.description)
      json.member("visibility", meme.visibility.rawValue)
      json.member("id", meme.id.description)
      json.name("captions")
      MemeJSON.write(recipe.captions, to: &json)
      json.member("layout", recipe.layout.rawValue)
      choices.write(to: &json)
      json.member("crop", recipe.crop?.description)
      if recipe.sameSize { json.member("sameSize", true) }
      if let maxEdge = recipe.maxEdge { json.member("maxEdge", maxEdge.pixels) }
      json.member("format", meme.format?.rawValue)
      json.array("tags") { json in
        for tag in meme.tags { json.value(tag.text) }
      }
      if !recipe.pictures.isEmpty {
        json.name("pictures")
        Self.write(recipe.pictures, paths, to: &json)
      }
    }
    var writer = ByteWriter(capacity: 512)
    json.finish().withUnsafeBytes { writer.append($0) }
    writer.append(UInt8(ascii: "\n"))
    return writer.finish()
  }
}

extension Recipe {
  /// The style in a list. In bars it is complete, because their defaults have changed once and may change again.
  fileprivate var listedChoices: StyleChoices {
    guard layout == .bar else { return choices }
    let style = style
    var all = StyleChoices()
    (all.font, all.fill, all.outline) = (style.font, style.fill, style.outline)
    (all.outlineWidth, all.size) = (style.outlineWidth, style.size)
    (all.letterCase, all.align) = (style.letterCase, style.align)
    return all
  }
}
