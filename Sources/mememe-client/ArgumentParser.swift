/// The words of a command line, taken one after the other: flags from anywhere, the others from the front.
struct Words {
  private(set) var left: [String]

  init(_ words: [String]) { left = words }

  /// - Returns: whether the flag was there.
  mutating func take(_ flag: String) -> Bool {
    guard let index = left.firstIndex(of: flag) else { return false }
    left.remove(at: index)
    return true
  }

  /// `--top x` or `--top=x`.
  mutating func takeValue(of flag: String) throws(Order.Invalid) -> String? {
    guard let index = left.firstIndex(where: { $0 == flag || $0.hasPrefix("\(flag)=") }) else {
      return nil
    }
    let word = left.remove(at: index)
    if word != flag { return String(word.dropFirst(flag.count + 1)) }
    guard left.indices.contains(index) else {
      throw Order.Invalid(reason: "\(flag): a value must follow")
    }
    return left.remove(at: index)
  }

  /// The first word that is not a flag.
  mutating func takeFirst() -> String? {
    guard let index = left.firstIndex(where: { !$0.hasPrefix("--") }) else { return nil }
    return left.remove(at: index)
  }

  mutating func needFirst(_ name: String) throws(Order.Invalid) -> String {
    guard let word = takeFirst() else { throw Order.Invalid(reason: "\(name) is missing") }
    return word
  }
}
