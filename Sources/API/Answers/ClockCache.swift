import Bytes
import HTTP
import Memes

/// Responses by request target, limited to a number of bytes.
///
/// Evicts by the CLOCK algorithm (second chance). The hand moves around the entries. It spares an entry that was used
/// since its last visit, and evicts one that was not. A hit only sets a flag.
struct ClockCache {
  /// The memory of an entry in addition to its response and target: the entry itself, the
  /// indexes, and allocator rounding.
  private static let overheadBytes = 1024

  private final class Place {
    let target: String
    let answer: CachedResponse
    let bytes: Int
    let index: Int
    var wasWanted = false

    init(_ answer: CachedResponse, to target: String, bytes: Int, at index: Int) {
      (self.answer, self.target, self.bytes, self.index) = (answer, target, bytes, index)
    }
  }

  let capacityBytes: Int
  private(set) var usedBytes = 0
  private var places: [Place?] = []
  private var free: [Int] = []
  private var byTarget: [String: Place] = [:]
  private var byMeme: [MemeID: Set<Int>] = [:]
  private var byTemplate: [TemplateID: Set<Int>] = [:]
  private var lists: Set<Int> = []
  /// The indexes of first pages, and of lists in another order than newest first.
  private var firstLists: Set<Int> = []
  private var rankedLists: Set<Int> = []
  private var hand = 0

  init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

  /// The maximum size of one response, so that it cannot evict most others.
  var maximumBytes: Int { capacityBytes / 8 }

  var count: Int { byTarget.count }

  mutating func answer(to target: String) -> CachedResponse? {
    guard let place = byTarget[target] else { return nil }
    place.wasWanted = true
    return place.answer
  }

  /// Inserts a response and evicts others if necessary.
  ///
  /// - Returns: the evicted responses. The caller deallocates them after it has released the lock.
  mutating func insert(_ answer: CachedResponse, to target: String) -> [CachedResponse] {
    let bytes =
      answer.response.approximateBytes + answer.placeBytes + target.utf8.count + Self.overheadBytes
    guard bytes <= maximumBytes else { return [] }
    var gone = byTarget[target].flatMap { remove(at: $0.index) }.map { [$0] } ?? []
    while usedBytes + bytes > capacityBytes {
      if let answer = moveHand() { gone.append(answer) }
    }
    let index = free.popLast() ?? places.count
    if index == places.count { places.append(nil) }
    let place = Place(answer, to: target, bytes: bytes, at: index)
    places[index] = place
    byTarget[target] = place
    switch answer.subject {
    case .meme(let id), .look(let id): byMeme[id, default: []].insert(index)
    case .template(let id): byTemplate[id, default: []].insert(index)
    case .list(let list):
      for id in list.memes { byMeme[id, default: []].insert(index) }
      lists.insert(index)
      if list.isFirst { firstLists.insert(index) }
      if list.isRanked { rankedLists.insert(index) }
    }
    usedBytes += bytes
    return gone
  }

  /// Removes every response that a change affects.
  mutating func remove(changedBy change: MemeChange) -> [CachedResponse] {
    let touched: any Sequence<Int> =
      switch change {
      case .many, .missed: places.indices
      case .counted(let meme): (byMeme[meme] ?? []).union(rankedLists)
      case .created(let meme): (byMeme[meme] ?? []).union(firstLists).union(rankedLists)
      case .edited(let meme), .claimed(let meme), .deleted(let meme), .restored(let meme):
        (byMeme[meme] ?? []).union(lists)
      case .templateChanged(let template): byTemplate[template] ?? []
      case .purged, .sequenced, .signedOut: []
      }
    var gone: [CachedResponse] = []
    for index in touched {
      guard let answer = places[index]?.answer, answer.subject.isChanged(by: change) else {
        continue
      }
      if let answer = remove(at: index) { gone.append(answer) }
    }
    return gone
  }

  private mutating func moveHand() -> CachedResponse? {
    hand = hand + 1 < places.count ? hand + 1 : 0
    guard places[hand]?.wasWanted == true else { return remove(at: hand) }
    places[hand]?.wasWanted = false
    return nil
  }

  private mutating func remove(at index: Int) -> CachedResponse? {
    guard let place = places[index] else { return nil }
    places[index] = nil
    free.append(index)
    byTarget[place.target] = nil
    switch place.answer.subject {
    case .meme(let id), .look(let id): Self.forget(index, of: id, in: &byMeme)
    case .template(let id): Self.forget(index, of: id, in: &byTemplate)
    case .list(let list):
      for id in list.memes { Self.forget(index, of: id, in: &byMeme) }
      lists.remove(index)
      firstLists.remove(index)
      rankedLists.remove(index)
    }
    usedBytes -= place.bytes
    return place.answer
  }

  private static func forget<ID: Identifier>(
    _ index: Int, of id: ID, in indexes: inout [ID: Set<Int>]
  ) {
    indexes[id]?.remove(index)
    if indexes[id]?.isEmpty == true { indexes[id] = nil }
  }
}

/// A cached response. It is the same for every client without credentials, until its subject changes.
final class CachedResponse: Sendable {
  /// The content of the response.
  enum Subject: Sendable {
    case meme(MemeID)
    /// The meme without its counts.
    case look(MemeID)
    /// A page of a list of memes.
    case list(CachedList)
    /// A picture that is drawn from the template.
    case template(TemplateID)

    /// Whether a change may affect the response.
    func isChanged(by change: MemeChange) -> Bool {
      switch (change, self) {
      case (.purged, _), (.sequenced, _), (.signedOut, _): false
      case (.many, _), (.missed, _): true
      case (.templateChanged(let template), .template(let own)): template == own
      case (.templateChanged, _), (_, .template): false
      case (.counted, .look): false
      case (.counted(let meme), .list(let list)): list.isRanked || list.memes.contains(meme)
      // A new meme comes first in a list that is not ranked, and no cursor points before the newest meme. So only the
      // first page changes.
      case (.created, .list(let list)): list.isFirst || list.isRanked
      // The meme's visibility may have changed, and with it the content of any page and the existence of a next page.
      case (_, .list): true
      case (.created(let meme), .meme(let own)), (.edited(let meme), .meme(let own)),
        (.claimed(let meme), .meme(let own)), (.deleted(let meme), .meme(let own)),
        (.restored(let meme), .meme(let own)), (.counted(let meme), .meme(let own)),
        (.created(let meme), .look(let own)), (.edited(let meme), .look(let own)),
        (.claimed(let meme), .look(let own)), (.deleted(let meme), .look(let own)),
        (.restored(let meme), .look(let own)):
        meme == own
      }
    }
  }

  let response: Response
  let subject: Subject
  /// The route that created the response.
  let route: RouteID
  /// Whether the response is valid only for requests with the same `Accept`.
  var varies: Bool { response.headers[.vary] == "Accept" }

  /// Whether the response is a picture, which is the same for every viewer.
  let isPicture: Bool
  /// `nil` if the response is valid until its subject changes.
  let end: ContinuousClock.Instant?

  init(
    response: Response, subject: Subject, route: RouteID, until end: ContinuousClock.Instant? = nil
  ) {
    (self.response, self.subject, self.route) = (response.reusable, subject, route)
    self.end = end
    isPicture = response.headers[.contentType]?.text.hasPrefix("image/") ?? false
  }
}

/// A page of a list of memes.
struct CachedList: Sendable {
  let memes: [MemeID]
  /// Whether this is the first page.
  let isFirst: Bool
  /// Whether the list has another order than newest first.
  let isRanked: Bool
}

extension CachedResponse {
  /// The memory of the index entries for the memes of a list.
  fileprivate var placeBytes: Int {
    if case .list(let list) = subject { 100 * list.memes.count } else { 0 }
  }
}

extension Response {
  /// The memory of the response, without parts that all responses share. Each of its forms also
  /// contains the header fields.
  fileprivate var approximateBytes: Int {
    let fieldBytes = headers.fields.reduce(0) { $0 + $1.value.text.utf8.count + 64 }
    return body.count + fieldBytes * (1 + ResponseForms.maximumCount)
  }
}
