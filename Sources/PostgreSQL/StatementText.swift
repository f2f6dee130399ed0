/// Rewrites a statement for PostgreSQL: the parameters, and SQLite's hints for its planner.
///
/// - `?` becomes `$1`, `$2` and so on; `?3` becomes `$3`.
/// - `INDEXED BY name` and `NOT INDEXED` go away: PostgreSQL has no hints.
/// - `user`, the name of columns here, is quoted: PostgreSQL reserves the word.
/// - `CROSS JOIN`, which fixes the order of a join for SQLite, becomes `JOIN` if a condition follows.
///
/// Strings, quoted names and comments stay as they are.
struct StatementText {
  let text: String
  /// The number of parameters.
  let parameters: Int

  init(_ sql: String) {
    var words = Words(sql)
    var output: [Substring] = []
    var (next, most) = (0, 0)
    // The places in `output` of CROSS, for each open parenthesis.
    var crossJoins: [[Int]] = [[]]
    while let word = words.next() {
      switch word.uppercased() {
      case _ where word.first == "?":
        let number = word.count == 1 ? next + 1 : Int(word.dropFirst()) ?? 0
        next = max(next, number)
        most = max(most, number)
        output.append("$\(number)")
      case "USER": output.append("\"user\"")
      case "INDEXED":
        if let not = output.lastIndex(where: { !$0.isBlank }), output[not].uppercased() == "NOT" {
          output.remove(at: not)
        } else {
          // BY and the name.
          words.skipWord()
          words.skipWord()
        }
      case "CROSS":
        crossJoins[crossJoins.count - 1].append(output.count)
        output.append(word)
      case "ON":
        // The condition belongs to the last join. ON CONFLICT follows none.
        if let place = crossJoins[crossJoins.count - 1].popLast() { output[place] = "" }
        output.append(word)
      case "JOIN" where output.followsCross: output.append(word)
      case "WHERE", "JOIN":
        // A join without a condition stays as it is.
        crossJoins[crossJoins.count - 1] = []
        output.append(word)
      case "(":
        crossJoins.append([])
        output.append(word)
      case ")":
        if crossJoins.count > 1 { crossJoins.removeLast() }
        output.append(word)
      default: output.append(word)
      }
    }
    (text, parameters) = (output.joined(), most)
  }
}

extension [Substring] {
  /// Whether the last word is CROSS.
  fileprivate var followsCross: Bool {
    last { !$0.isBlank && !$0.isEmpty }?.uppercased() == "CROSS"
  }
}

extension Substring {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// The words of a statement, its blanks, and single other characters.
private struct Words {
  private var rest: Substring

  init(_ sql: String) { rest = sql[...] }

  mutating func next() -> Substring? {
    guard let first = rest.first else { return nil }
    let count: Int =
      switch first {
      case "'", "\"": quoted(first)
      case "-" where rest.hasPrefix("--"): rest.prefix { !$0.isNewline }.count
      case "/" where rest.hasPrefix("/*"): comment
      case "?": 1 + rest.dropFirst().prefix { $0.isWholeNumber }.count
      case _ where first.isWhitespace: rest.prefix { $0.isWhitespace }.count
      case _ where first.isNamePart: rest.prefix { $0.isNamePart }.count
      default: 1
      }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Skips blanks and one word.
  mutating func skipWord() {
    while let word = next(), word.isBlank {}
  }

  /// A doubled quote within the quotes ends them and begins the next ones, which comes to the same.
  private func quoted(_ quote: Character) -> Int {
    let body = rest.dropFirst().prefix { $0 != quote }.count
    return min(body + 2, rest.count)
  }

  private var comment: Int {
    guard let end = rest.firstRange(of: "*/") else { return rest.count }
    return rest.distance(from: rest.startIndex, to: end.upperBound)
  }
}

extension Character {
  fileprivate var isNamePart: Bool { isLetter || isNumber || self == "_" }
}
