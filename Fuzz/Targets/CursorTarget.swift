import HTTP
import Memes

@testable import API

extension FuzzTarget {
  /// The query of a list: the cursor and the other fields.
  static let cursor = FuzzTarget(name: "cursor", maximumBytes: 256) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let rankings = [nil, ListPosition.Ranking.match, .popularity]
    for ranking in rankings {
      let read = Result(of: { () throws(Problem) in try ListCursor.decode(text, by: ranking) })
      switch read {
      case .success(let position):
        try require(
          position.sequence > 0 && position.ranking == ranking, "a cursor is a place in the list")
        try require(ListCursor.encode(position) == text, "a place has one cursor")
      case .failure(let problem):
        try require(problem.kind == .invalidCursor, "what is not ours is refused as such")
      }
    }
    var input = Input(bytes)
    let sequence = max(1, input.integer() & .max)
    let rank = input.integer() & ListPosition.ranks.upperBound
    for ranking in rankings {
      let place =
        ranking.map { ListPosition(sequence: sequence, rank: rank, by: $0) }
        ?? ListPosition(sequence: sequence)
      try require(
        try ListCursor.decode(ListCursor.encode(place), by: ranking) == place,
        "what we hand out we take")
    }

    guard let target = try? RequestTarget("/?" + text) else { return }
    var fields = FieldDecoder(target.query.map { ($0.name, .text($0.value)) })
    let limit = fields.number("limit", PageLimit.init)
    let sent = target.query.filter { $0.name == "limit" }.map(\.value)
    switch Result(of: { () throws(Problem) in try fields.finish() }) {
    case .success:
      try require((limit == nil) == sent.isEmpty, "what was sent and was not refused is used")
      try require(limit.map { (1...100).contains($0.count) } ?? true, "a limit is within bounds")
      try require(
        limit.map { limit in sent.allSatisfy { Int($0) == limit.count } } ?? true, "and as sent")
    case .failure(let problem):
      try require(problem.kind == .invalidInput && !problem.fields.isEmpty, "bad fields are named")
      try require(
        problem.fields.allSatisfy { bad in target.query.contains { $0.name == bad.field } },
        "and no others")
    }
  }
}
