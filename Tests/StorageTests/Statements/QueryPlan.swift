import Foundation

/// A line of a plan that reads rows.
struct PlanStep {
  let isScan: Bool
  /// The table, or the subquery.
  let source: String
  /// `nil` if the whole table is read, in the order of its rows.
  let index: String?
  let bounds: Set<String>

  /// - Returns: `nil` if the line reads no rows.
  init?(_ line: String) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count > 1, words[0] == "SEARCH" || words[0] == "SCAN" else { return nil }
    isScan = words[0] == "SCAN"
    // One or several rows of constants.
    source = words.contains("CONSTANT") ? "CONSTANT ROW" : words[1]
    if let place = words.firstIndex(of: "INDEX"), place + 1 < words.count {
      index = words[place + 1]
    } else if words.contains("INTEGER") {
      index = "INTEGER PRIMARY KEY"
    } else {
      index = words.contains("PRIMARY") ? "PRIMARY KEY" : nil
    }
    let start = line.range(of: " (")?.upperBound ?? line.endIndex
    let end = line.lastIndex(of: ")") ?? line.endIndex
    bounds = start < end ? TableRead.conditions(String(line[start..<end])) : []
  }

  func isLike(_ read: TableRead) -> Bool {
    isScan == read.isScan && source == read.table && index == read.index
  }
}

/// The plan of SQLite for a statement. Its wording differs between versions, so tests compare only these properties.
struct QueryPlan {
  private let lines: [String]

  /// - Parameter lines: the result of EXPLAIN QUERY PLAN.
  init(_ lines: [String]) { self.lines = lines }

  /// What SQLite may read completely: sets that the statement has bounded before.
  private static let boundedSets = [
    "page": "The numbers of one page.",
    "people": "A page of the followed people.",
    "stretch": "One row: the end of the scan window.",
    "CONSTANT ROW": "Rows without a table.",
    "apart": "At most 1,000 blocked people in each direction.",
    "theirs": "At most 1,000 people who block the viewer.",
    "ours": "At most 1,000 people whom the viewer blocks.",
    "counted": "At most 2,000 rows of one item.",
    "everybodys": "A page of public memes.",
    "authors": "A page of an author's memes.",
    "unread": "A bounded number of notifications.",
    "events": "At most 100 events of a notification.",
    "open": "A bounded number of reports.",
    "wanted": "The JSON array of a page's candidates.",
    "beginning": "The JSON array of the searched words.",
  ]

  /// What is wrong with the plan of a statement; empty if nothing is.
  func faults(of statement: ListStatement) -> [String] {
    let steps = lines.compactMap(PlanStep.init)
    var faults: [String] = []
    for read in statement.reads {
      let isFound = steps.contains { step in
        step.isLike(read) && (read.bounds == nil || step.bounds == read.bounds)
      }
      if !isFound { faults.append("It does not read \(read).") }
    }
    let ways = statement.reads + statement.mayRead
    let tables = Set(statement.reads.map(\.table))
    for step in steps {
      let isListed = ways.contains { step.isLike($0) }
      if tables.contains(step.source) {
        if !isListed { faults.append("It also reads \(step.source) by \(step.index ?? "a scan").") }
      } else if step.isScan, !Self.mayScan(step.source) {
        faults.append("It scans \(step.source).")
      }
      if statement.avoids.contains(step.source) { faults.append("It reads \(step.source).") }
    }
    // SQLite builds such an index for the statement alone, from a scan of the table.
    if lines.contains(where: { $0.contains(" AUTOMATIC ") }) {
      faults.append("It builds an index.")
    }
    if statement.sorts == nil, lines.contains(where: { $0.contains("TEMP B-TREE") }) {
      faults.append("It sorts rows.")
    }
    return faults.isEmpty ? [] : faults + ["Its plan:"] + lines
  }

  private static func mayScan(_ source: String) -> Bool {
    boundedSets[source] != nil
  }
}
