/// Parses the arguments of a command. Each call removes the words that it returns.
package struct ArgumentParser {
  /// The words that are not parsed yet.
  package private(set) var rest: [String]
  /// The ``UsageError/help`` of errors.
  package let help: String

  package init(_ words: [String], help: String) { (rest, self.help) = (words, help) }

  /// Removes and returns the words before the first flag.
  package mutating func takeLeading() -> [String] {
    let leading = rest.prefix { !$0.hasPrefix("--") }
    rest.removeFirst(leading.count)
    return Array(leading)
  }

  /// Removes and returns the first word that is not a flag, from any position.
  package mutating func takeFirst() -> String? {
    guard let index = rest.firstIndex(where: { !$0.hasPrefix("--") }) else { return nil }
    return rest.remove(at: index)
  }

  /// Removes and returns the first word that is not a flag, from any position.
  ///
  /// - Parameter name: names the word in the error if it is missing.
  package mutating func takeRequired(_ name: String) throws(UsageError) -> String {
    guard let word = takeFirst() else { throw UsageError(help, "missing \(name)") }
    return word
  }

  /// Removes a flag.
  ///
  /// - Returns: whether the flag was present.
  package mutating func take(_ flag: String) -> Bool { Self.take(flag, from: &rest) }

  /// Removes a flag from `words`.
  ///
  /// - Returns: whether the flag was present.
  package static func take(_ flag: String, from words: inout [String]) -> Bool {
    guard let index = words.firstIndex(of: flag) else { return false }
    words.remove(at: index)
    return true
  }

  /// Removes a flag with its value, such as `--email x` or `--email=x`, and returns the value.
  package mutating func takeValue(of flag: String) throws(UsageError) -> String? {
    guard let index = rest.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else {
      return nil
    }
    let word = rest.remove(at: index)
    if word != flag { return String(word.dropFirst(flag.count + 1)) }
    guard rest.indices.contains(index) else {
      throw UsageError(help, "\(flag): missing value")
    }
    return rest.remove(at: index)
  }
}
