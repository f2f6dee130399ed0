import Memes

/// Parses the arguments of a command that has options of its own in addition to the flags of settings.
struct ArgumentParser {
  /// The words that are not parsed yet.
  private(set) var rest: [String]
  private let usage: String

  /// - Parameter usage: the usage text of errors.
  init(_ words: [String], usage: String) { (rest, self.usage) = (words, usage) }

  /// Removes and returns the words before the first flag.
  mutating func takeFirst() -> [String] {
    let first = rest.prefix { !$0.hasPrefix("--") }
    rest.removeFirst(first.count)
    return Array(first)
  }

  /// Removes a flag.
  ///
  /// - Returns: whether the flag was present.
  mutating func take(_ flag: String) -> Bool { Self.take(flag, from: &rest) }

  /// Removes a flag from `words`.
  ///
  /// - Returns: whether the flag was present.
  static func take(_ flag: String, from words: inout [String]) -> Bool {
    guard let index = words.firstIndex(of: flag) else { return false }
    words.remove(at: index)
    return true
  }

  /// Removes a flag with its value, such as `--email x` or `--email=x`, and returns the value.
  mutating func takeValue(of flag: String) throws(UsageError) -> String? {
    guard let index = rest.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else {
      return nil
    }
    let word = rest.remove(at: index)
    if word != flag { return String(word.dropFirst(flag.count + 1)) }
    guard rest.indices.contains(index) else {
      throw UsageError(usage, "\(flag): a value must follow")
    }
    return rest.remove(at: index)
  }

  /// Removes a flag with a username, such as `--author NAME`, and returns the username.
  mutating func takeUsername(of flag: String) throws(UsageError) -> Username? {
    guard let text = try takeValue(of: flag) else { return nil }
    do throws(InvalidValue) { return try Username(text) } catch {
      throw UsageError(usage, "\(text): \(error.message)")
    }
  }
}

/// The error for arguments that cannot be parsed.
struct UsageError: Error {
  let reason: String
  let usage: String

  init(_ usage: String, _ reason: String) { (self.usage, self.reason) = (usage, reason) }
}
