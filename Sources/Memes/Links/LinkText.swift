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
    var text = String.UnicodeScalarView()
    var rest = Substring(segment).unicodeScalars
    while let scalar = rest.first {
      let next = rest.dropFirst().first
      switch scalar {
      case "_", "-":
        let run = rest.prefix { $0 == scalar }
        rest.removeFirst(run.count)
        let space: [Unicode.Scalar] = run.count % 2 == 1 ? [" "] : []
        let own = Array(repeating: scalar, count: run.count / 2)
        // The single one is before the pairs of underscores and after those of hyphens.
        text.append(contentsOf: scalar == "_" ? space + own : own + space)
      case "'" where next == "'":
        text.append("\"")
        rest.removeFirst(2)
      default:
        let escaped = scalar == "~" ? next.flatMap { escapes[$0] } : nil
        text.append(escaped ?? scalar)
        rest.removeFirst(escaped == nil ? 1 : 2)
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
