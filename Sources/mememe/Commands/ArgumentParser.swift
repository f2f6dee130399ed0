import Memes

/// The words of a command that has words of its own beside the flags of settings.
struct OrderWords {
  /// Those that nobody took.
  private(set) var rest: [String]
  private let usage: String

  /// - Parameter usage: tells somebody whose words cannot be followed how it goes.
  init(_ words: [String], usage: String) { (rest, self.usage) = (words, usage) }

  /// The words before the first flag.
  mutating func takeFirst() -> [String] {
    let first = rest.prefix { !$0.hasPrefix("--") }
    rest.removeFirst(first.count)
    return Array(first)
  }

  /// - Returns: whether the flag was there.
  mutating func take(_ flag: String) -> Bool { Self.take(flag, from: &rest) }

  /// - Returns: whether the flag was there.
  static func take(_ flag: String, from words: inout [String]) -> Bool {
    guard let index = words.firstIndex(of: flag) else { return false }
    words.remove(at: index)
    return true
  }

  /// `--email x` or `--email=x`.
  mutating func takeValue(of flag: String) throws(InvalidOrder) -> String? {
    guard let index = rest.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else {
      return nil
    }
    let word = rest.remove(at: index)
    if word != flag { return String(word.dropFirst(flag.count + 1)) }
    guard rest.indices.contains(index) else {
      throw InvalidOrder(usage, "\(flag): a value must follow")
    }
    return rest.remove(at: index)
  }

  /// `--author NAME`.
  mutating func takeUsername(of flag: String) throws(InvalidOrder) -> Username? {
    guard let text = try takeValue(of: flag) else { return nil }
    do throws(InvalidValue) { return try Username(text) } catch {
      throw InvalidOrder(usage, "\(text): \(error.message)")
    }
  }
}

/// Why the words of a command cannot be followed.
struct InvalidOrder: Error {
  let reason: String
  let usage: String

  init(_ usage: String, _ reason: String) { (self.usage, self.reason) = (usage, reason) }
}
