import Bytes
import HTTP
import Memes

/// Some answers by what they answer, up to a number of bytes.
///
/// What gives way is found by a clock's hand (CLOCK, also called second chance): it goes round, passes once over what
/// was asked for since it came by last, and takes what was not. A hit only sets a flag.
struct AnswerShelf {
  /// What an answer takes beyond its bytes and text: its place, its entries in the tables, what allocators round up to.
  private static let overheadBytes = 1024

  private final class Place {
    let target: String
    let answer: KnownAnswer
    let bytes: Int
    let index: Int
    var wasWanted = false

    init(_ answer: KnownAnswer, to target: String, bytes: Int, at index: Int) {
      (self.answer, self.target, self.bytes, self.index) = (answer, target, bytes, index)
    }
  }

  let capacityBytes: Int
  private(set) var usedBytes = 0
  private var places: [Place?] = []
  private var free: [Int] = []
  private var byTarget: [String: Place] = [:]
  private var byMeme: [MemeID: Set<Int>] = [:]
  private var lists: Set<Int> = []
  /// Those of them that are first pages, and those in another order than from new to old.
  private var firstLists: Set<Int> = []
  private var rankedLists: Set<Int> = []
  private var hand = 0

  init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

  /// One answer must not take the place of most others.
  var maximumBytes: Int { capacityBytes / 8 }

  var count: Int { byTarget.count }

  mutating func answer(to target: String) -> KnownAnswer? {
    guard let place = byTarget[target] else { return nil }
    place.wasWanted = true
    return place.answer
  }

  /// Keeps an answer, in the place of others where it must be.
  ///
  /// - Returns: what gave way, for the caller to let go of when nobody waits.
  mutating func insert(_ answer: KnownAnswer, to target: String) -> [KnownAnswer] {
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
    case .list(let list):
      for id in list.memes { byMeme[id, default: []].insert(index) }
      lists.insert(index)
      if list.isFirst { firstLists.insert(index) }
      if list.isRanked { rankedLists.insert(index) }
    }
    usedBytes += bytes
    return gone
  }

  /// Removes all that a change has made old.
  mutating func remove(changedBy change: MemeChange) -> [KnownAnswer] {
    let touched: any Sequence<Int> =
      switch change {
      case .many: places.indices
      case .counted(let meme): (byMeme[meme] ?? []).union(rankedLists)
      case .created(let meme): (byMeme[meme] ?? []).union(firstLists).union(rankedLists)
      case .edited(let meme), .claimed(let meme), .deleted(let meme), .restored(let meme):
        (byMeme[meme] ?? []).union(lists)
      case .purged, .sequenced, .signedOut: []
      }
    var gone: [KnownAnswer] = []
    for index in touched {
      guard let answer = places[index]?.answer, answer.subject.isChanged(by: change) else {
        continue
      }
      if let answer = remove(at: index) { gone.append(answer) }
    }
    return gone
  }

  private mutating func moveHand() -> KnownAnswer? {
    hand = hand + 1 < places.count ? hand + 1 : 0
    guard places[hand]?.wasWanted == true else { return remove(at: hand) }
    places[hand]?.wasWanted = false
    return nil
  }

  private mutating func remove(at index: Int) -> KnownAnswer? {
    guard let place = places[index] else { return nil }
    places[index] = nil
    free.append(index)
    byTarget[place.target] = nil
    switch place.answer.subject {
    case .meme(let id), .look(let id): forget(index, of: id)
    case .list(let list):
      for id in list.memes { forget(index, of: id) }
      lists.remove(index)
      firstLists.remove(index)
      rankedLists.remove(index)
    }
    usedBytes -= place.bytes
    return place.answer
  }

  private mutating func forget(_ index: Int, of meme: MemeID) {
    byMeme[meme]?.remove(index)
    if byMeme[meme]?.isEmpty == true { byMeme[meme] = nil }
  }
}

/// An answer that is the same for everybody who shows no credentials, as long as its subject does not change.
final class KnownAnswer: Sendable {
  /// What it shows.
  enum Subject: Sendable {
    case meme(MemeID)
    /// The meme, but none of its counts.
    case look(MemeID)
    /// A page of memes.
    case list(KnownList)

    /// Whether it may look otherwise after a change.
    func isChanged(by change: MemeChange) -> Bool {
      switch (change, self) {
      case (.purged, _), (.sequenced, _), (.signedOut, _): false
      case (.many, _): true
      case (.counted, .look): false
      case (.counted(let meme), .list(let list)): list.isRanked || list.memes.contains(meme)
      // A new meme comes before all others. No page gives out a cursor that is above all memes.
      case (.created, .list(let list)): list.isFirst || list.isRanked
      // Who sees a meme may have changed, and so what follows a page.
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
  /// The route that it came from.
  let route: RouteMark
  /// Whether it is the answer only to who sends the same `Accept`.
  var varies: Bool { response.headers[.vary] == "Accept" }

  /// Whether it is the same for all who may see it.
  let isPicture: Bool

  init(response: Response, subject: Subject, route: RouteMark) {
    (self.response, self.subject, self.route) = (response.reusable, subject, route)
    isPicture = response.headers[.contentType]?.text.hasPrefix("image/") ?? false
  }
}

/// A page of a list of memes.
struct KnownList: Sendable {
  let memes: [MemeID]
  /// Whether it is the first one.
  let isFirst: Bool
  /// Whether its order is another than from new to old.
  let isRanked: Bool
}

extension KnownAnswer {
  /// The memory that the places of its memes take.
  fileprivate var placeBytes: Int {
    if case .list(let list) = subject { 100 * list.memes.count } else { 0 }
  }
}

extension Response {
  /// The memory that it takes, but for what is shared with all others; its fields are in each of its forms, too.
  fileprivate var approximateBytes: Int {
    let fieldBytes = headers.fields.reduce(0) { $0 + $1.value.text.utf8.count + 64 }
    return body.count + fieldBytes * (1 + ResponseForms.maximumCount)
  }
}
