/// Text in the path of an address that draws a meme, written as memegen, another meme server, writes it: a space is
/// `_`, and characters that have a meaning in addresses have escapes with two characters.
///
/// In runs of `_` and of `-`, two are one such character, and a single one is a space. memegen itself replaces over the
/// whole path, and therefore reads some of its own addresses wrongly.
package enum LinkText {
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "q": "?", "a": "&", "p": "%", "h": "#", "s": "/", "b": "\\", "l": "<", "g": ">",
  ]
  private static let names = Dictionary(uniqueKeysWithValues: escapes.map { ($0.value, $0.key) })

  /// The text of a segment that has been percent-decoded.
  package static func text(of segment: String) -> String {
    guard segment != "_" else { return "" }
    let scalars = Array(segment.unicodeScalars)
    var text = String.UnicodeScalarView()
    var place = 0
    while place < scalars.count {
      let scalar = scalars[place]
      let next = place + 1 < scalars.count ? scalars[place + 1] : nil
      place += 1
      switch scalar {
      case "_", "-":
        var count = 1
        while place < scalars.count, scalars[place] == scalar {
          (place, count) = (place + 1, count + 1)
        }
        // The single one is before the pairs of underscores and after those of hyphens.
        if count % 2 == 1, scalar == "_" { text.append(" ") }
        for _ in 0..<count / 2 { text.append(scalar) }
        if count % 2 == 1, scalar == "-" { text.append(" ") }
      case "'" where next == "'":
        text.append("\"")
        place += 1
      default:
        let escaped = scalar == "~" ? next.flatMap { escapes[$0] } : nil
        text.append(escaped ?? scalar)
        if escaped != nil { place += 1 }
      }
    }
    return String(text)
  }

  /// The segment of a text, not percent-encoded. Reading it gives the same text, except that typographic quotes and
  /// dashes are plain, and a few texts with a tilde or two apostrophes cannot be written.
  package static func segment(of text: String) -> String {
    guard !text.isEmpty else { return "_" }
    var segment = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalar {
      case " ": segment.append(space(after: segment.last, before: next))
      case "_": segment.append(contentsOf: ["_", "_"])
      case "-", "–": segment.append(contentsOf: ["-", "-"])
      case "‘", "’": segment.append("'")
      case "\"", "“", "”": segment.append(contentsOf: ["'", "'"])
      case "\r" where next == "\n": break
      case "\r": segment.append(contentsOf: ["~", "n"])
      default:
        if let name = names[scalar] {
          segment.append(contentsOf: ["~", name])
        } else {
          segment.append(scalar)
        }
      }
    }
    // Alone, it would be the empty text.
    return segment.elementsEqual(["_"]) ? " " : String(segment)
  }

  /// A space is `_`, unless a run would then be read in another way: behind an underscore it is `-`, and between an
  /// underscore and a hyphen it stays a space.
  private static func space(
    after last: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Unicode.Scalar {
    guard last == "_" else { return "_" }
    return next == "-" || next == "–" ? " " : "-"
  }
}
