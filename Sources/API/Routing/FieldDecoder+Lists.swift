import Bytes
import HTTP
import JSON
import Memes

/// Lists of texts.
extension FieldDecoder {
  /// Reads the tags of a meme or a template.
  mutating func tags() -> [Tag]? {
    words("tags") { (texts) throws(InvalidValue) in try [Tag](reading: texts) }
  }

  /// Reads an array of short texts without commas: an array in JSON, and in a form this array or a list with commas.
  ///
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func words<Words>(
    _ name: String, _ read: ([String]) throws(InvalidValue) -> Words
  ) -> Words? {
    guard sentJSON(name) == nil, let text = sentText(name), text.first != "[" else {
      return texts(name, read)
    }
    return self.text(name) { text in
      try read(text.unicodeScalars.split(separator: ",").map(Self.trimmed))
    }
  }

  /// The word without the spaces and tabs at both ends, by scalars: a letter and the comma or space after it can be one
  /// Character, as can a space and a joiner (UAX #29).
  private static func trimmed(_ word: Substring.UnicodeScalarView) -> String {
    let start = word.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...last])
  }

  /// Reads an array of texts. In a form, the field contains the array as JSON text.
  ///
  /// - Returns: `nil` if the field is missing, `null` or invalid.
  mutating func texts<Texts>(
    _ name: String, _ read: ([String]) throws(InvalidValue) -> Texts
  ) -> Texts? {
    guard let elements = array(name) else { return nil }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      guard case .text(let text) = element else {
        reject("\(name)[\(index)]", code: "not-a-text", "Must be a text.")
        continue
      }
      texts.append(text)
    }
    guard texts.count == elements.count else { return nil }
    do throws(InvalidValue) { return try read(texts) } catch {
      reject(name, code: error.code, error.message)
      return nil
    }
  }
}
