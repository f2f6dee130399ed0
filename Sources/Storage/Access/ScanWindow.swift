/// The part of an index that one page of a list scans, if the list hides people with whom the viewer is blocked either
/// way.
///
/// A hidden person may have any number of consecutive rows. A page therefore scans at most ``rows`` rows. It may be
/// shorter than its limit, or empty, and the next page begins after the last scanned row.
///
/// For a viewer without blocks, no row is hidden, and the scan is unbounded.
struct ScanWindow {
  /// The default number of rows that a page scans: ten times the longest page.
  static let rows = 1000

  /// Selects the position of the last row in the window; no row if the list ends earlier, or hides nothing.
  let query: String

  private let isRising: Bool

  /// - Parameters:
  ///   - place: the column that orders the list.
  ///   - prefix: a column that the source's index has before `place`, and that is NULL in all of its rows. PostgreSQL
  ///     uses the order of the index only if it is given.
  ///   - isRising: whether the order is ascending.
  ///   - rows: the maximum number of rows that a page scans.
  ///   - source: the text after `FROM`, including a `WHERE`. It selects all rows after the start of the page, including
  ///     hidden ones. An index should cover it.
  ///   - condition: whether the page may have to hide rows.
  init(
    of place: String, after prefix: String? = nil, isRising: Bool = false, rows: Int = Self.rows,
    in source: String,
    where condition: String = AccessPolicy.viewerHasBlocks
  ) {
    self.isRising = isRising
    let direction = isRising ? "ASC" : "DESC"
    let order = ([prefix, place].compactMap(\.self)).map { "\($0) \(direction)" }
    // A condition in the `WHERE` clause would be evaluated for each row. For a viewer without blocks, the scan would
    // then be as long as the list.
    query = """
      SELECT \(place) FROM \(source)
      ORDER BY \(order.joined(separator: ", ")) LIMIT CASE WHEN \(condition) THEN 1 ELSE 0 END
      OFFSET \(rows - 1)
      """
  }

  /// The `WITH` clause of a statement that uses the window.
  // Not materialized for a second use: for a viewer without blocks, a temporary table costs more than two index
  // lookups.
  var with: String {
    let end = isRising ? Int64.max : 0
    return "WITH stretch (last) AS NOT MATERIALIZED (SELECT coalesce((\(query)), \(end)))"
  }

  /// Whether the window contains a row at this position. A merged list must apply this to *all* of its parts. Otherwise
  /// older rows of one part would precede rows of another part that were not scanned.
  static func reaches(_ place: String, isRising: Bool = false) -> String {
    "\(place) \(isRising ? "<=" : ">=") (SELECT last FROM stretch)"
  }
}
