import Memes
import SQLite

/// How many candidates a page looks at: where who asks can see hardly any, it is a short one.
let mostCandidates = 1000

/// How many are read at a time if a page is still not full: some at first, since most memes are for everyone, then many.
private let (someCandidates, manyCandidates) = (16, 100)

/// Candidates for a page, in its order.
struct Candidates<Place> {
  var places: [Place]
  /// Behind this place none were looked for, since time was up; `nil` if there are as many as were asked for, or no more.
  var cut: Place?

  init(_ places: [Place], cut: Place? = nil) { (self.places, self.cut) = (places, cut) }
}

/// A page of what is found step by step: candidates, in the page's order, of which not all need to be shown.
///
/// What is hidden is not told of: a page ends at the last that it shows, and a short one where `rest` says.
///
/// - Parameters:
///   - place: where the page before ended.
///   - rest: where a page ends that has looked at all that it may, the last of it at this place: there or behind it.
///   - candidates: gives those behind a place, as many as are asked for; fewer where there are no more.
///   - show: reads them, each in its place; `nil` for one that is not to be shown.
/// - Returns: where the next page begins; `nil` at the end. A page is not complete if time was up before it was full or at the end.
func candidatePage<Place: Equatable, Item>(
  limit: Int, after place: Place?, rest: (Place) -> Place = { $0 },
  candidates: (Place?, Int) throws(MemeError) -> Candidates<Place>,
  show: ([Place]) throws(MemeError) -> [Item?]
) throws(MemeError) -> (items: [Item], next: Place?, isComplete: Bool) {
  var (items, looked): ([Item], Int) = ([], 0)
  var (place, lastShown, end) = (place, place, nil as Place?)
  // One more than are shown tells whether there is a next page.
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

extension SQLiteMemes {
  /// A page of those memes among the candidates that the viewer sees.
  func page<Item>(
    _ listing: MemeListing, _ query: MemeQuery, in db: borrowing Transaction<MemeError>,
    decode: (borrowing Row) throws(SQLiteError) -> Item,
    rest: (ListPosition) -> ListPosition = { $0 },
    candidates: (ListPosition?, Int) throws(MemeError) -> Candidates<ListPosition>
  ) throws(MemeError) -> Page<Item> {
    let sight = Sight(listing.viewer)
    let page = try candidatePage(
      limit: listing.limit, after: listing.position, rest: rest, candidates: candidates
    ) { places throws(MemeError) in
      // One statement for all looks up but once who asks.
      let numbers = "[\(places.map { "\($0.sequence)" }.joined(separator: ","))]"
      let shown = try db.all(query.some[sight], sight.person, numbers) {
        row throws(SQLiteError) in (number: try row[0] as Int64, item: try decode(row))
      }
      let items = Dictionary(shown.map { ($0.number, $0.item) }) { first, _ in first }
      return places.map { items[$0.sequence] }
    }
    return Page(items: page.items, next: page.next, isComplete: page.isComplete)
  }
}
