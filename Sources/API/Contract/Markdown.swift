/// Renders the Markdown subset that the contract's descriptions use: paragraphs, lists, fenced code and inline `code`.
enum Markdown {
  /// Renders paragraphs, lists and fenced code.
  static func blocks(_ text: String) -> HTML {
    var html = HTML()
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.first {
      if line.hasPrefix("```") {
        let code = lines.dropFirst().prefix { !$0.hasPrefix("```") }
        html += "<pre><code>\(code.joined(separator: "\n"))</code></pre>\n"
        lines = lines[code.endIndex...].dropFirst()
      } else if line.hasPrefix("- ") {
        let items = lines.prefix { $0.hasPrefix("- ") }
        html += "<ul>\(items.map { "<li>\(inline($0.dropFirst(2)))</li>" as HTML }.joined())</ul>\n"
        lines = lines[items.endIndex...]
      } else if line.isEmpty {
        lines = lines.dropFirst()
      } else {
        let paragraph = lines.prefix { !$0.isEmpty && !$0.hasPrefix("- ") && !$0.hasPrefix("```") }
        html += "<p>\(inline(paragraph.joined(separator: " ")))</p>\n"
        lines = lines[paragraph.endIndex...]
      }
    }
    return html
  }

  /// Renders one line with inline code. A backtick without a closing one is literal.
  static func inline(_ text: some StringProtocol) -> HTML {
    var html = HTML()
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "`"),
      let close = rest[rest.index(after: open)...].firstIndex(of: "`")
    {
      let code = rest[rest.index(after: open)..<close]
      html += "\(rest[..<open])<code>\(code)</code>"
      rest = rest[rest.index(after: close)...]
    }
    html += "\(rest)"
    return html
  }
}
