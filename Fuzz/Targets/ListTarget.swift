import Bytes
import Memes

@testable import API

extension FuzzTarget {
  /// The list file of an import. The first byte selects the kind of list, the rest is its text.
  static let list = FuzzTarget(name: "list", maximumBytes: 4096) { bytes in
    var input = Input(bytes)
    let kinds = MemeList.Kind.allCases
    let kind = kinds[Int(input.byte()) % kinds.count]
    let text = Bytes(Array(input.rest))
    guard let list = try? MemeList(text, kind) else { return }
    let rows = list.rows.sorted { $0.range.lowerBound < $1.range.lowerBound }
    var (end, line) = (0, 1)
    for row in rows {
      try require(
        row.range.lowerBound >= end && row.range.upperBound <= text.count, "rows are apart")
      try require(row.line >= line, "and their lines count up")
      (end, line) = (row.range.upperBound, row.line)
    }
    // A copy of the rows, which users correct and import again, must read the same.
    let copy = try MemeList(list.copy(of: list.rows), kind)
    try require(copy.rows.count == rows.count, "a copy has the same rows")
    for (row, again) in zip(list.rows, copy.rows) {
      try require(try list.outcome(row) == copy.outcome(again), "which say the same")
    }
  }
}

extension MemeList {
  /// The file and the recipe of a row, or its fault.
  fileprivate func outcome(_ row: Row) throws -> Result<Parts, RowFault> {
    let rules = Rules(
      faces: Recipe.faces, formats: OutputFormat.allCases, authors: .named,
      now: Timestamp(millisecondsSince1970: 1 << 40))
    let outcome = Result(of: { () throws(RowFault) in try read(row, rules) })
    if case .failure(let fault) = outcome {
      try require(!fault.reasons.isEmpty, "what fails says why")
    }
    if case .success(let row) = outcome {
      try row.draft.recipe.check()
      try require(
        row.author != nil || row.draft.visibility == .public, "what is nobody's is everybody's")
    }
    return outcome.map { Parts(file: $0.file, recipe: $0.draft.recipe) }
  }

  fileprivate struct Parts: Equatable {
    let file: String
    let recipe: Recipe
  }
}
