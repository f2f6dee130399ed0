extension Setting {
  /// The short list of `mememe help`.
  static var list: String {
    let lines = all.map { setting in
      "  \(padded(setting.flag, to: 24))\(padded(setting.variable, to: 28))\(setting.standard.plain)"
    }
    return lines.joined(separator: "\n")
  }

  /// The output of `mememe help --settings`.
  static var help: String {
    let topics = topics.map { topic in
      let settings = topic.settings.map { setting in
        """
        \(setting.flag), \(setting.variable)
        \(wrapped(setting.help, indent: "  ", columns: 80))
          Default: \(setting.standard.plain). Values: \(setting.values).
        """
      }
      return ([topic.title] + settings).joined(separator: "\n\n")
    }
    return ([wrapped(introduction, indent: "", columns: 80)] + topics).joined(separator: "\n\n")
  }

  /// The text of docs/settings.md, which `mememe help --settings --markdown` prints.
  package static var markdown: String {
    let topics = topics.map { topic in
      let rows = topic.settings.map { setting in
        "| `\(setting.variable)` | \(setting.standard.markdown) | \(setting.values) | \(setting.help) |"
      }
      return """
        ## \(topic.title)

        | variable | default | values | |
        |---|---|---|---|
        \(rows.joined(separator: "\n"))
        """
    }
    let head = """
      # Settings

      <!-- Written by `mememe help --settings --markdown`. Change Sources/mememe/Settings instead. -->

      \(wrapped(introduction, indent: "", columns: 120))
      """
    return ([head] + topics).joined(separator: "\n\n") + "\n"
  }

  private static let introduction = """
    Each setting is an environment variable, and a flag of `mememe serve`: `MEMEME_MAX_UPLOAD_BYTES=1000000` is \
    `--max-upload-bytes 1000000`. A flag takes precedence over its variable. An unknown or invalid setting prevents the \
    start. The other commands of `mememe` take the same flags.
    """

  private static func wrapped(_ text: String, indent: String, columns: Int) -> String {
    var lines: [String] = []
    var line = indent
    for word in text.split(separator: " ") {
      if line.count > indent.count, line.count + 1 + word.count > columns {
        lines.append(line)
        line = indent
      }
      line += line.count > indent.count ? " \(word)" : word
    }
    return (lines + [line]).joined(separator: "\n")
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension Setting.Standard {
  /// `33554432 (32 MiB)`
  fileprivate var plain: String {
    switch self {
    case .value(let text, let meaning): text + (meaning.map { " (\($0))" } ?? "")
    case .described(let words): words.replacing("`", with: "")
    }
  }

  fileprivate var markdown: String {
    switch self {
    case .value(let text, let meaning): "`\(text)`" + (meaning.map { " (\($0))" } ?? "")
    case .described(let words): words
    }
  }
}
