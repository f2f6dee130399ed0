import Memes

/// Counts, without what people did who are apart from the viewer. A list shows many of them, so that each looks at a bounded number
/// of rows, whoever blocks whom.
extension Sight {
  /// Of those whom somebody blocks, and of those who block them, a count leaves out so many, the newest. Anybody may be blocked by any
  /// number of people; lists leave out all of them.
  static let crowd = Following.maximumBlocked

  /// Whether anybody is apart from who asks; SQLite looks it up once for a statement.
  static let someoneIsApart = """
    (EXISTS (SELECT 1 FROM blocks WHERE blocker = \(asking))
      OR EXISTS (SELECT 1 FROM blocks WHERE blocked = \(asking)))
    """

  /// A count of rows as the viewer has it: without the rows of people who are apart from them.
  ///
  /// For whoever sees everybody it is the column and nothing else, and for who is apart from nobody it costs two looks for a
  /// statement. For others either the rows are gone through or those who are apart, whichever are fewer.
  ///
  /// - Parameters:
  ///   - column: the count of all rows, which a trigger keeps.
  ///   - table: that has the rows.
  ///   - condition: whose rows they are: of one thing. With `person` an index finds them.
  ///   - filter: which of them are counted.
  ///   - person: whose row it is, by `users.seq`.
  func count(
    _ column: String, of table: String, where condition: String, counting filter: String = "1",
    by person: String
  ) -> String {
    guard hidesPeople else { return column }
    // One person may have written any number of comments, deleted ones too.
    let rows = 2 * Self.crowd
    return """
      (\(column) - CASE
        WHEN NOT \(Self.someoneIsApart) THEN 0
        WHEN \(column) < \(Self.crowdSize) THEN
          (SELECT count(*) FROM (
            SELECT \(person) AS person FROM \(table) WHERE \(condition) AND \(filter) LIMIT \(rows))
          WHERE \(Self.isApart("person")))
        ELSE
          (WITH apart (person) AS MATERIALIZED (\(Self.apart))
          SELECT count(*) FROM (
            SELECT \(filter) AS counts FROM apart
            CROSS JOIN \(table) ON \(person) = apart.person AND \(condition) LIMIT \(rows))
          WHERE counts)
        END)
      """
  }

  /// How many people a count leaves out at most: those who block each other are in it twice.
  static let crowdSize = """
    ((SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocker = \(asking) LIMIT \(crowd)))
      + (SELECT count(*) FROM (SELECT 1 FROM blocks WHERE blocked = \(asking) LIMIT \(crowd))))
    """

  /// Those who are apart from who asks and left out of counts, each once.
  private static let apart = """
    SELECT blocked FROM (
      SELECT blocked FROM blocks INDEXED BY blocks_of_blocker
      WHERE blocker = \(asking) ORDER BY seq DESC LIMIT \(crowd))
    UNION ALL SELECT theirs.blocker FROM (
      SELECT blocker FROM blocks INDEXED BY blocks_of_blocked
      WHERE blocked = \(asking) ORDER BY seq DESC LIMIT \(crowd)) AS theirs
    WHERE NOT \(blocks(asking, "theirs.blocker"))
    """
}
