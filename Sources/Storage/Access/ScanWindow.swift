/// How far along its index one page of a list goes, where those who are apart from who asks are left out of it.
///
/// Somebody who is apart may have made any number of rows, one behind the other. So a page looks at ``rows`` of them and ends
/// there, shorter than it might be or empty, and the next one begins behind the last row that was looked at.
///
/// Where nobody is apart from who asks nothing is left out, and a page goes on to the end.
struct Stretch {
  /// How many rows a page looks at, where a list says nothing else: ten times the longest page.
  static let rows = 1000

  /// Asks for the place of the last row that is looked at. There is none where no more rows are behind it.
  let query: String

  private let isRising: Bool

  /// - Parameters:
  ///   - place: the column that the list is ordered by.
  ///   - isRising: whether the least is first.
  ///   - rows: how many a page looks at.
  ///   - source: what follows `FROM`, a `WHERE` included: the rows behind the place that the page begins behind, whoever they are of. An
  ///     index should cover it.
  ///   - condition: whether a page may have to leave something out.
  init(
    of place: String, isRising: Bool = false, rows: Int = Self.rows, in source: String,
    where condition: String = Sight.someoneIsApart
  ) {
    self.isRising = isRising
    // As a condition on rows it would be asked at each of them, and where nobody is apart the walk be as long as the list.
    query = """
      SELECT \(place) FROM \(source)
      ORDER BY \(place) \(isRising ? "ASC" : "DESC") LIMIT \(condition) OFFSET \(rows - 1)
      """
  }

  /// The beginning of a statement that asks for it.
  // Not kept for the second time that it is asked: for those who have nobody apart, a table costs more than two looks.
  var with: String {
    let end = isRising ? Int64.max : 0
    return "WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((\(query)), \(end)))"
  }

  /// Whether a row of this place is looked at. It holds for *all* that a list is merged of: else older rows of one part would
  /// come before rows of another that were not looked at.
  static func reaches(_ place: String, isRising: Bool = false) -> String {
    "\(place) \(isRising ? "<=" : ">=") (SELECT last FROM stretch)"
  }
}
