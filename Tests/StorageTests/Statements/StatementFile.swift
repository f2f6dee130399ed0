import Foundation

/// A golden file: the statements of one family, each after a line `-- name: …` and before an empty line.
struct StatementFile {
  let name: String
  /// The statements in the order of the file.
  private(set) var statements: [(name: String, text: String)] = []

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "SQL")

  private static let introduction = """
    -- The statements of list pages. A test writes this file: see CONTRIBUTING.md.

    """

  private static let mark = "-- name: "

  var url: URL { Self.folder.appending(path: "\(name).sql") }

  /// The file as the statements of this version require it.
  init(_ name: String, of statements: [ListStatement]) {
    self.name = name
    self.statements = statements.map { ($0.name, Self.readable($0.sql) + ";") }
  }

  /// The file in the repository; `nil` if it is missing.
  init?(reading name: String) throws {
    self.name = name
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    var lines: [String] = []
    for line in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix(Self.mark) {
        finish(lines)
        lines = [String(line.dropFirst(Self.mark.count))]
      } else if !lines.isEmpty, !line.isEmpty {
        lines.append(line)
      }
    }
    finish(lines)
  }

  /// - Parameter lines: the name of a statement and its text.
  private mutating func finish(_ lines: [String]) {
    guard let name = lines.first else { return }
    statements.append((name, lines.dropFirst().joined(separator: "\n")))
  }

  func write() throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    let parts = statements.map { "\(Self.mark)\($0.name)\n\($0.text)\n" }
    let text = ([Self.introduction] + parts).joined(separator: "\n")
    try Data(text.utf8).write(to: url)
  }

  /// The names of the files in the repository.
  static func names() throws -> Set<String> {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Set(files.filter { $0.hasSuffix(".sql") }.map { String($0.dropLast(4)) })
  }

  /// The text with the line breaks of the source, and with an indentation that follows the parentheses. The source
  /// assembles the text from parts, each with an indentation of its own.
  static func readable(_ sql: String) -> String {
    let lines = sql.replacingOccurrences(of: " UNION ALL ", with: "\nUNION ALL ")
      .components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    var depth = 0
    var result: [String] = []
    for line in lines {
      let closed = line.prefix { $0 == ")" }.count
      let word = String(line.prefix { $0.isLetter })
      let isContinued = !result.isEmpty && closed == 0 && !clauses.contains(word)
      let indent = max(0, depth - closed + (isContinued ? 1 : 0))
      result.append(String(repeating: "  ", count: indent) + line)
      depth += line.count(where: { $0 == "(" }) - line.count(where: { $0 == ")" })
    }
    return result.joined(separator: "\n")
  }

  /// The words that begin a clause.
  private static let clauses: Set<String> = [
    "CROSS", "DELETE", "FROM", "JOIN", "LEFT", "LIMIT", "ORDER", "RETURNING", "SELECT", "SET",
    "UNION", "UPDATE", "WHERE", "WITH",
  ]
}
