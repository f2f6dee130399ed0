/// The arguments of a command line. Flags are taken from any position, other arguments from the front.
struct ArgumentParser {
  private(set) var left: [String]

  init(_ words: [String]) { left = words }

  /// - Returns: Whether the flag was present.
  mutating func take(_ flag: String) -> Bool {
    guard let index = left.firstIndex(of: flag) else { return false }
    left.remove(at: index)
    return true
  }

  /// Accepts `--top x` and `--top=x`.
  mutating func takeValue(of flag: String) throws(ParsedCommand.Invalid) -> String? {
    guard let index = left.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else {
      return nil
    }
    let word = left.remove(at: index)
    if word != flag { return String(word.dropFirst(flag.count + 1)) }
    guard left.indices.contains(index) else {
      throw ParsedCommand.Invalid(reason: "\(flag): a value must follow")
    }
    return left.remove(at: index)
  }

  /// Takes the first argument that is not a flag.
  mutating func takeFirst() -> String? {
    guard let index = left.firstIndex(where: { !$0.hasPrefix("--") }) else { return nil }
    return left.remove(at: index)
  }

  mutating func needFirst(_ name: String) throws(ParsedCommand.Invalid) -> String {
    guard let word = takeFirst() else { throw ParsedCommand.Invalid(reason: "\(name) is missing") }
    return word
  }
}
