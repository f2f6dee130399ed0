/// HTML that interpolated text cannot break.
///
/// Literals are markup. Interpolated values are escaped unless they are `HTML`.
///
///     let cell: HTML = "<td>\(anything)</td>"
package struct HTML: Sendable {
  package private(set) var text: String

  package init() { text = "" }

  package static func += (left: inout HTML, right: HTML) { left.text += right.text }
}

extension HTML {
  /// A complete page.
  ///
  /// - Parameters:
  ///   - head: metadata in addition to the title.
  ///   - style: the only stylesheet of the page.
  static func page(
    title: String, head: HTML = HTML(), style: String = HTML.stylesheet, body: HTML
  ) -> HTML {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title)</title>
    \(head)<style>\(HTML(style: style))</style>
    </head>
    <body>
    \(body)
    </body>
    </html>

    """
  }
}

extension HTML {
  /// A stylesheet without escaping: `<style>` does not support escapes, and the text is part of this program.
  private init(style: String) { self.init(stringLiteral: style) }
}

extension Sequence<HTML> {
  package func joined() -> HTML { reduce(into: HTML()) { $0 += $1 } }
}

extension HTML: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ html: HTML) { text += html.text }

    package mutating func appendInterpolation(_ plain: some StringProtocol) {
      // Escape quotes too, because the text may be in an attribute (HTML §13.1.2.3).
      for character in plain.unicodeScalars {
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        default: text.unicodeScalars.append(character)
        }
      }
    }
  }

  package init(stringLiteral literal: String) { text = literal }

  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}
