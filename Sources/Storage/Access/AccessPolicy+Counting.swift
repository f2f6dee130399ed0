import Memes

/// Counts that exclude the activity of people with whom the viewer is blocked either way. A list shows many of them, so
/// each count scans a bounded number of rows, however many blocks there are.
extension AccessPolicy {
  /// A count excludes at most this many of the people that the viewer blocks, and as many of those who block the
  /// viewer: the newest of each. A person may be blocked by any number of people. Lists exclude all of them.
  static let crowd = RelationStore.maximumBlocked

  /// Whether the viewer blocks, or is blocked by, at least one person. SQLite evaluates this once for each statement.
  static let viewerHasBlocks = """
    (EXISTS (SELECT 1 FROM blocks WHERE blocker = \(asking))
      OR EXISTS (SELECT 1 FROM blocks WHERE blocked = \(asking)))
    """

  /// A count of rows as the viewer sees it: without the rows of people with whom the viewer is blocked either way.
  ///
  /// For a viewer who sees everyone, this is only the column. For a viewer without blocks, it costs two index lookups
  /// for each statement. For other viewers, it scans the rows or the blocked people, whichever are fewer.
  ///
  /// - Parameters:
  ///   - column: the count of all rows, which a trigger maintains.
  ///   - table: the table that contains the rows.
  ///   - condition: selects the rows of one item. An index must cover it together with `person`.
  ///   - filter: selects the rows to count.
  ///   - person: the column with the `users.seq` of the row's author.
  ///   - isOfComments: whether the rows are comments on the meme in `memes`, whose author sees more of them:
  ///     ``hidesComment(by:)``.
  func count(
    _ column: String, of table: String, where condition: String, counting filter: String = "TRUE",
    by person: String, isOfComments: Bool = false
  ) -> String {
    guard hidesPeople else { return column }
    // One person may have written any number of comments, including deleted ones.
    let rows = 2 * Self.crowd
    let isHidden =
      isOfComments ? Self.hidesComment(by: "person") : Self.isBlockedEitherWay("person")
    let isApart =
      isOfComments ? "\(filter) AND \(Self.hidesComment(by: "apart.person"))" : filter
    return """
      (\(column) - CASE
        WHEN NOT \(Self.viewerHasBlocks) THEN 0
        WHEN \(column) < \(Self.crowdSize) THEN
          (SELECT count(*) FROM (
            SELECT \(person) AS person FROM \(table) WHERE \(condition) AND \(filter) LIMIT \(rows)) AS counted
          WHERE \(isHidden))
        ELSE
          (WITH apart (person) AS MATERIALIZED (\(Self.apart))
          SELECT count(*) FROM (
            SELECT \(isApart) AS counts FROM apart
            CROSS JOIN \(table) ON \(person) = apart.person AND \(condition) LIMIT \(rows)) AS counted
          WHERE counts)
        END)
      """
  }

  /// The maximum number of people that a count excludes. A person who is blocked both ways counts twice.
  static let crowdSize = """
    ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = \(asking) LIMIT \(crowd)) AS ours)
      + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = \(asking) LIMIT \(crowd)) AS theirs))
    """

  /// The people that counts exclude, without duplicates.
  private static let apart = """
    SELECT blocked FROM (
      SELECT blocked FROM blocks INDEXED BY blocks_of_blocker
      WHERE blocker = \(asking) ORDER BY seq DESC LIMIT \(crowd)) AS ours
    UNION ALL SELECT theirs.blocker FROM (
      SELECT blocker FROM blocks INDEXED BY blocks_of_blocked
      WHERE blocked = \(asking) ORDER BY seq DESC LIMIT \(crowd)) AS theirs
    WHERE NOT \(blocks(asking, "theirs.blocker"))
    """
}
