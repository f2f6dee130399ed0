import Testing

@testable import PostgreSQL

@Suite struct StatementTextTests {
  @Test(
    arguments: [
      ("SELECT ?, ?", "SELECT $1, $2", 2),
      ("SELECT ?3, ?", "SELECT $3, $4", 4),
      ("SELECT ?2 + ?2", "SELECT $2 + $2", 2),
      ("SELECT '?', \"a?\", ? -- ?\n, /* ? */ ?", "SELECT '?', \"a?\", $1 -- ?\n, /* ? */ $2", 2),
      ("SELECT 'it''s ?' || ?", "SELECT 'it''s ?' || $1", 1),
      ("SELECT a FROM t INDEXED BY i WHERE b = ?", "SELECT a FROM t  WHERE b = $1", 1),
      ("SELECT a FROM t NOT INDEXED WHERE b = ?", "SELECT a FROM t   WHERE b = $1", 1),
      (
        "SELECT a FROM t CROSS JOIN u ON u.a = t.a",
        "SELECT a FROM t CROSS JOIN LATERAL (SELECT * FROM u WHERE u.a = t.a OFFSET 0) AS u", 0
      ),
      (
        "SELECT a FROM t CROSS JOIN u AS v INDEXED BY i ON v.a = (SELECT ?) LEFT JOIN w ON TRUE",
        """
        SELECT a FROM t CROSS JOIN LATERAL (SELECT * FROM u AS v WHERE v.a = (SELECT $1)  OFFSET 0) AS v LEFT JOIN w \
        ON TRUE
        """, 1
      ),
      (
        "SELECT (SELECT a FROM t CROSS JOIN u ON u.a = t.a), 1 ORDER BY 1",
        """
        SELECT (SELECT a FROM t CROSS JOIN LATERAL (SELECT * FROM u WHERE u.a = t.a OFFSET 0) AS u ), 1 ORDER BY 1
        """, 0
      ),
      (
        "SELECT NOT EXISTS (SELECT 1 FROM t WHERE a IN (SELECT b FROM u) LIMIT 1) AND (TRUE)",
        "SELECT NOT EXISTS (SELECT 1 FROM t WHERE a IN (SELECT b FROM u) LIMIT 1 OFFSET 0) AND (TRUE)",
        0
      ),
      (
        "SELECT t.user, users.a, 'user' FROM user_words AS t WHERE user = ?",
        "SELECT t.\"user\", users.a, 'user' FROM user_words AS t WHERE \"user\" = $1", 1
      ),
      ("SELECT a FROM t CROSS JOIN u WHERE TRUE", "SELECT a FROM t CROSS JOIN u WHERE TRUE", 0),
      (
        "SELECT a FROM t CROSS JOIN u CROSS JOIN v ON v.a = u.a",
        "SELECT a FROM t CROSS JOIN u CROSS JOIN LATERAL (SELECT * FROM v WHERE v.a = u.a OFFSET 0) AS v",
        0
      ),
      (
        "SELECT a FROM t CROSS JOIN (SELECT b FROM u CROSS JOIN v) AS x LEFT JOIN y ON y.a = x.b",
        "SELECT a FROM t CROSS JOIN (SELECT b FROM u CROSS JOIN v) AS x LEFT JOIN y ON y.a = x.b", 0
      ),
    ])
  func `a statement is rewritten for PostgreSQL`(_ sql: String, _ expected: String, _ count: Int) {
    let text = StatementText(sql)
    #expect(text.text == expected)
    #expect(text.parameters == count)
  }
}
