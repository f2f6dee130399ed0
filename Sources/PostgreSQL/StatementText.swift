/// Rewrites a statement for PostgreSQL: the parameters, and SQLite's hints for its planner
/// (docs/decisions/0093-the-text-is-the-plan.md).
///
/// - `?` becomes `$1`, `$2` and so on; `?3` becomes `$3`.
/// - `INDEXED BY name` and `NOT INDEXED` go away: PostgreSQL has no hints.
/// - `user`, the name of columns here, is quoted: PostgreSQL reserves the word.
/// - `CROSS JOIN t ON condition`, which fixes the order of a join for SQLite, becomes
///   `CROSS JOIN LATERAL (SELECT * FROM t WHERE condition OFFSET 0) AS t`, which fixes it for PostgreSQL.
/// - `EXISTS (…)` becomes `EXISTS (… OFFSET 0)`. PostgreSQL then evaluates it for a row when it needs it, as SQLite
///   does. Otherwise it may read all rows of the subquery first, such as all favorites of a person for a page of memes.
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
    // What the end of each open parenthesis must end, from the outermost one. The first one is the statement itself.
    var open = [Scope(isExists: false)]
    var isAfterExists = false
    while let word = words.next() {
      let name = word.uppercased()
      if Self.endsCondition.contains(name), let join = open[open.count - 1].join {
        output.append(contentsOf: [Self.fence, ") AS ", join, " "])
        open[open.count - 1].join = nil
      }
      switch name {
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
        guard let join = words.join() else {
          output.append(word)
          break
        }
        output.append(contentsOf: ["CROSS JOIN LATERAL (SELECT * FROM ", join.table, " WHERE"])
        open[open.count - 1].join = join.name
      case "(":
        open.append(Scope(isExists: isAfterExists))
        output.append(word)
      case ")":
        if open.count > 1, open.removeLast().isExists { output.append(Self.fence) }
        output.append(word)
      default: output.append(word)
      }
      if !word.isBlank { isAfterExists = name == "EXISTS" }
    }
    if let join = open[0].join { output.append(contentsOf: [Self.fence, ") AS ", join]) }
    (text, parameters) = (output.joined(), most)
  }

  /// An open parenthesis.
  private struct Scope {
    let isExists: Bool
    /// The name of the table whose condition is being read.
    var join: Substring?
  }

  /// PostgreSQL plans a subquery with an offset by itself.
  private static let fence: Substring = " OFFSET 0"

  /// What ends the condition of a join.
  private static let endsCondition: Set<String> = [
    ")", "CROSS", "GROUP", "JOIN", "LEFT", "LIMIT", "ORDER", "UNION", "WHERE",
  ]
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

  /// Reads `JOIN table AS name INDEXED BY index ON`, of which the name and the index may be missing, after `CROSS`.
  ///
  /// - Returns: the table with its name, and the name. `nil` if no such join follows, and nothing was read.
  mutating func join() -> (table: Substring, name: Substring)? {
    var ahead = self
    guard ahead.nextWord()?.uppercased() == "JOIN", let table = ahead.nextWord(),
      table.first?.isNamePart == true
    else { return nil }
    var (name, text) = (table, table)
    var word = ahead.nextWord()
    if word?.uppercased() == "AS", let alias = ahead.nextWord() {
      (name, text) = (alias, "\(table) AS \(alias)")
      word = ahead.nextWord()
    }
    if word?.uppercased() == "INDEXED" {
      ahead.skipWord()
      ahead.skipWord()
      word = ahead.nextWord()
    }
    guard word?.uppercased() == "ON" else { return nil }
    self = ahead
    return (text, name)
  }

  /// The next word that is not blank.
  private mutating func nextWord() -> Substring? {
    while let word = next() {
      if !word.isBlank { return word }
    }
    return nil
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
