import Memes
import SQLite

/// Pages of what is found in other ways than by an index of `memes`: numbers of memes that may be on the page, in its order, of
/// which the viewer need not see all.
extension SQLiteMemes {
  /// How many of them a page looks at: where who asks can see hardly any, it is a short one.
  static let mostCandidates = 1000

  /// A page of those candidates that the viewer sees.
  ///
  /// - Parameter candidates: gives those behind a place, as many as are asked for; fewer where there are no more.
  func page<Item>(
    _ listing: MemeListing, _ query: MemeQuery, in db: borrowing Transaction<MemeError>,
    decode: (borrowing Row) throws(SQLiteError) -> Item,
    candidates: (ListPosition?, Int) throws(MemeError) -> [ListPosition]
  ) throws(MemeError) -> Page<Item> {
    let sight = Sight(listing.viewer)
    // One more than are shown tells whether there is a next page.
    let count = max(0, listing.limit) + 1
    var (items, looked, place): ([Item], Int, ListPosition?) = ([], 0, listing.position)
    while looked < Self.mostCandidates {
      let found = try candidates(place, count)
      for candidate in found {
        let item = try db.first(
          query.one[sight], sight.person, candidate.sequence, decode: decode)
        if let item {
          if items.count == count - 1 { return Page(items: items, next: place) }
          items.append(item)
        }
        place = candidate
      }
      if found.count < count { return Page(items: items, next: nil) }
      looked += found.count
    }
    return Page(items: items, next: place)
  }
}
