extension String {
  /// The text with control, format and line separator characters replaced, so that it cannot control a terminal or fake
  /// a line of a log.
  var forTerminal: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append("\u{FFFD}")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}
