package import Memes
import SQL

/// Lists of templates.
extension TemplateStore {
  /// A page of the templates, in the order of the listing.
  package func templates(_ listing: TemplateListing) async throws -> Page<Template> {
    let limit = max(0, listing.limit)
    let place = listing.position
    let (sequence, rank) = (place?.sequence ?? .max, place?.rank ?? .max)
    var ranges = listing.query?.beginnings.map { Range(start: $0, end: $0 + "\u{10FFFF}") } ?? []
    // No character of a tag sorts before the exclamation mark, so that only this tag is in the range.
    if let tag = listing.tag { ranges.append(Range(start: "#\(tag.text)", end: "#\(tag.text)!")) }
    // The longest beginning, which probably matches the fewest templates.
    let first = ranges.max { $0.start.utf8.count < $1.start.utf8.count }
    guard let first else {
      let query = Self.query(by: listing.order)
      return try await readers.read { db in
        try Self.page(
          of: try db.all(query, sequence, rank, limit + 1, decode: Listed.init), listing)
      }
    }
    let query = Self.filteredQuery(by: listing.order)
    let others = "[\(ranges.filter { $0 != first }.map(\.json).joined(separator: ","))]"
    return try await readers.readLong(for: Requester.current?.turnText) { db in
      try db.within(searchTime) {
        try Self.page(
          of: try db.all(
            query, sequence, rank, limit + 1, first.start, first.end, others, decode: Listed.init),
          listing)
      }
    }
  }

  /// A page of the user's templates, newest first.
  package func templates(
    of person: UserID, after position: ListPosition?, limit: Int
  ) async throws -> Page<Template> {
    let listing = TemplateListing(after: position, limit: max(0, limit))
    return try await readers.read { db in
      try Self.page(
        of: try db.all(
          """
          SELECT seq, use_count, \(templateColumns) FROM templates
          WHERE author = (SELECT seq FROM users WHERE id = ?) AND seq < ?
          ORDER BY seq DESC LIMIT ?
          """, person.bytes, position?.sequence ?? .max, listing.limit + 1, decode: Listed.init),
        listing)
    }
  }

  /// Selects templates after the position of `?1`, the sequence number, and `?2`, the number of uses.
  static func query(by order: TemplateListing.Order) -> String {
    """
    SELECT seq, use_count, \(templateColumns) FROM templates
    WHERE \(order.isBehind) ORDER BY \(order.sorting) LIMIT ?3
    """
  }

  /// Selects those that have a word from `?4` to before `?5`, and one in each range of the JSON array `?6`.
  static func filteredQuery(by order: TemplateListing.Order) -> String {
    """
    SELECT seq, use_count, \(templateColumns) FROM templates
    WHERE \(order.isBehind)
      AND seq IN (SELECT template FROM template_words WHERE word >= ?4 AND word < ?5)
      AND NOT EXISTS (
        SELECT 1 FROM json_each(?6) AS wanted WHERE NOT EXISTS (
          SELECT 1 FROM template_words AS other
          WHERE other.template = templates.seq AND other.word >= wanted.value ->> 0
            AND other.word < wanted.value ->> 1))
    ORDER BY \(order.sorting) LIMIT ?3
    """
  }

  /// A range of words. They contain no characters that JSON must escape.
  private struct Range: Equatable {
    let start: String
    let end: String

    var json: String { "[\"\(start)\",\"\(end)\"]" }
  }

  private struct Listed {
    let sequence: Int64
    let useCount: Int64
    let template: Template

    init(_ row: inout Row) throws {
      (sequence, useCount) = (try row.next(), try row.next())
      template = try Template(&row)
    }
  }

  /// - Parameter rows: one more than the limit means that there is a next page.
  private static func page(of rows: [Listed], _ listing: TemplateListing) throws -> Page<Template> {
    let shown = rows.prefix(max(0, listing.limit))
    let last = rows.count == shown.count ? nil : shown.last
    let next = last.map { last in
      listing.ranking.map {
        ListPosition(sequence: last.sequence, rank: last.useCount, by: $0)
      } ?? ListPosition(sequence: last.sequence)
    }
    return Page(items: shown.map(\.template), next: next)
  }
}

extension TemplateListing.Order {
  fileprivate var isBehind: String {
    switch self {
    case .newest: "seq < ?1 AND ?2 >= 0"
    case .popular: "(use_count, seq) < (?2, ?1)"
    }
  }

  fileprivate var sorting: String {
    switch self {
    case .newest: "seq DESC"
    case .popular: "use_count DESC, seq DESC"
    }
  }
}
