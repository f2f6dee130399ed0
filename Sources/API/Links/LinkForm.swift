import Bytes
import HTTP
import Memes

/// The options of a linked meme, in the query of its address and in the JSON of `POST /links`.
enum LinkForm {
  static let options: Set<String> = [
    "width", "height", "font", "color", "layout", "style", "background",
  ]
  static let members = options.union(["template", "texts", "format"])
  /// The maximum size of the body of `POST /links`, in bytes.
  static let maximumBytes = 64 << 10

  /// In the parameter `style`, a place of the template that stays empty.
  fileprivate static let emptyPlace = "default"
  /// The maximum number of pictures of other servers in the places of a template.
  fileprivate static let maximumPictures = 4

  fileprivate enum Layout: String, CaseIterable { case `default`, top }

  /// The query of an address with these options; empty if all are left out.
  static func query(_ options: MemeLinkOptions) -> String {
    let parts = [
      options.width.map { "width=\($0)" }, options.height.map { "height=\($0)" },
      options.font.map { "font=\($0.text.percentEncoded)" },
      options.fills.isEmpty
        ? nil
        : "color="
          + options.fills.map { String($0.description.dropFirst()) }.joined(separator: ","),
      options.isTop ? "layout=top" : nil,
      options.background.map { "background=\($0.text.percentEncoded)" },
      options.pictures.isEmpty
        ? nil
        : "style="
          + options.pictures.map { $0?.text.percentEncoded ?? emptyPlace }.joined(separator: ","),
    ].compactMap(\.self)
    return parts.isEmpty ? "" : "?\(parts.joined(separator: "&"))"
  }
}

extension FieldDecoder {
  /// - Parameter faces: the font faces that captions can use.
  mutating func linkOptions(faces: [FontFace]) -> MemeLinkOptions {
    var options = MemeLinkOptions()
    options.width = number("width", Self.edge)
    options.height = number("height", Self.edge)
    options.font = text("font") { text in try MemeLinkOptions.font(text, among: faces) }
    options.fills =
      words("color") { (texts) throws(InvalidValue) in
        guard texts.count <= Recipe.maximumCaptions else {
          throw InvalidValue(
            code: "too-many", message: "Must be at most \(Recipe.maximumCaptions) colors.")
        }
        return try texts.map { text throws(InvalidValue) in try Color.typed(text) }
      } ?? []
    options.background = text("background", RemoteURL.init(_:))
    options.isTop = word("layout", LinkForm.Layout.self) == .top
    options.pictures =
      words("style") { (texts) throws(InvalidValue) in try Self.pictures(texts) } ?? []
    return options
  }

  private static func pictures(_ texts: [String]) throws(InvalidValue) -> [RemoteURL?] {
    let texts = texts.reversed().drop { $0 == LinkForm.emptyPlace }.reversed()
    guard texts.count <= LinkForm.maximumPictures else {
      throw InvalidValue(
        code: "too-many", message: "Must be at most \(LinkForm.maximumPictures) pictures.")
    }
    return try texts.map { text throws(InvalidValue) -> RemoteURL? in
      if text == LinkForm.emptyPlace { return nil }
      // Templates have no styles with names.
      guard text.contains("://") else { throw .notAllowed(among: [LinkForm.emptyPlace]) }
      // In an address, commas separate the pictures.
      return try RemoteURL(text.replacing(",", with: "%2C"))
    }
  }

  private static func edge(_ pixels: Int) throws(InvalidValue) -> Int {
    let range = MemeLinkOptions.smallestEdge...MaxEdge.range.upperBound
    guard range.contains(pixels) else {
      throw InvalidValue(
        code: "out-of-range",
        message: "Must be a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return pixels
  }
}
