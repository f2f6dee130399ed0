import Memes
import SQL

/// The maximum number of candidates that a page scans. If the viewer may see few of them, the page is short.
let mostCandidates = 1000

/// The batch sizes while a page is not full: small at first, because most memes are public, then large.
private let (someCandidates, manyCandidates) = (16, 100)

/// Candidates for a page, in the order of the page.
struct Candidates<Place> {
  var places: [Place]
  /// The position after which time ran out; `nil` if there are as many candidates as requested, or no more exist.
  var cut: Place?

  init(_ places: [Place], cut: Place? = nil) { (self.places, self.cut) = (places, cut) }
}

/// Builds a page from batches of candidates, in the order of the page. Some candidates may be hidden from the viewer.
///
/// The page reveals nothing about hidden candidates: it ends at the last item that it shows, or at a position that
/// `rest` returns.
///
/// - Parameters:
///   - place: the end of the previous page.
///   - rest: maps the position of the last scanned candidate to the end of a page that reached the scan limit. The
///     result is that position or a later one.
///   - candidates: returns candidates after a position, as many as requested, or fewer if no more exist.
///   - show: reads the items of the candidates, in the same order; `nil` for a hidden one.
/// - Returns: the items; the start of the next page, or `nil` at the end of the list; and whether the page is complete.
///   It is not if time ran out before the page was full and before the list ended.
func candidatePage<Place: Equatable, Item>(
  limit: Int, after place: Place?, rest: (Place) -> Place = { $0 },
  candidates: (Place?, Int) throws -> Candidates<Place>,
  show: ([Place]) throws -> [Item?]
) throws -> (items: [Item], next: Place?, isComplete: Bool) {
  var (items, looked): ([Item], Int) = ([], 0)
  var (place, lastShown, end) = (place, place, nil as Place?)
  // One more than the limit, to detect whether there is a next page.
  var count = max(0, limit) + 1
  for round in 0... {
    let found = try candidates(place, count)
    for (candidate, item) in zip(found.places, try show(found.places)) {
      if let end, rest(candidate) != end { return (items, end, true) }
      if let item {
        if items.count >= limit { return (items, lastShown, true) }
        items.append(item)
        lastShown = candidate
      }
      looked += 1
      if looked == mostCandidates { end = rest(candidate) }
      place = candidate
    }
    if let cut = found.cut { return (items, cut, false) }
    if found.places.count < count { return (items, nil, true) }
    let many = max(limit + 1, manyCandidates)
    count = round == 0 ? min(many, max(someCandidates, 2 * (limit + 1 - items.count))) : many
  }
  return (items, nil, true)
}

extension MemeStore {
  /// A page of the candidates that the viewer may see.
  func page<Item>(
    _ listing: MemeListing, _ query: MemeQuery, in db: borrowing Transaction,
    decode: (inout Row) throws -> Item,
    rest: (ListPosition) -> ListPosition = { $0 },
    candidates: (ListPosition?, Int) throws -> Candidates<ListPosition>
  ) throws -> Page<Item> {
    let policy = AccessPolicy(listing.viewer)
    let page = try candidatePage(
      limit: listing.limit, after: listing.position, rest: rest, candidates: candidates
    ) { places in
      // With one statement for all candidates, SQLite looks up the viewer only once.
      let numbers = "[\(places.map { "\($0.sequence)" }.joined(separator: ","))]"
      let shown = try db.all(query.some[policy], policy.person, numbers) {
        row in (number: try row.next() as Int64, item: try decode(&row))
      }
      let items = Dictionary(shown.map { ($0.number, $0.item) }) { first, _ in first }
      return places.map { items[$0.sequence] }
    }
    return Page(items: page.items, next: page.next, isComplete: page.isComplete)
  }
}
