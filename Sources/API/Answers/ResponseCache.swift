import Bytes
import HTTP
package import Memes
import Synchronization

/// An in-memory cache of frequently requested responses: pictures, meme details and list pages.
///
/// The cache never returns a response that a change has made stale. The store calls ``changed(_:)`` before it reports
/// the change to the caller that made it, and the cache then removes every response that the change may affect. A
/// response is built from data that was read earlier. Therefore, take ``moment`` before reading: the response is cached
/// only if no change since that moment affects it. Safe to use from any thread.
package final class ResponseCache: Sendable {
  /// A point between two changes.
  struct Moment {
    fileprivate let changes: UInt64
    let time: ContinuousClock.Instant
  }

  fileprivate struct State {
    var shelf: ClockCache
    var changes: UInt64 = 0
    /// The latest changes. Each is at the index of its number modulo `mostLatest`.
    var latest: [MemeChange] = []
    var hits = 0
    var hasVariants = false
  }

  private let state: Mutex<State>
  /// The maximum size of a response in bytes.
  let maximumBytes: Int
  /// Also counts evicted responses that are still being sent.
  private let memory: MemoryBudget
  private let isCurrent: (@Sendable () -> Bool)?
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - capacityBytes: 0 disables the cache.
  ///   - isCurrent: whether the cache knows of all changes. `nil` if it is told each of them at once.
  package init(
    capacityBytes: Int, isCurrent: (@Sendable () -> Bool)? = nil,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    let shelf = ClockCache(capacityBytes: capacityBytes)
    maximumBytes = shelf.maximumBytes
    memory = MemoryBudget(byteCount: 2 * capacityBytes)
    state = Mutex(State(shelf: shelf))
    (self.isCurrent, self.now) = (isCurrent, now)
  }

  /// The number of cached responses, their size in bytes, and the number of requests that they answered.
  package var statistics: (answers: Int, bytes: Int, hits: Int) {
    state.withLock { ($0.shelf.count, $0.shelf.usedBytes, $0.hits) }
  }

  var moment: Moment { Moment(changes: state.withLock { $0.changes }, time: now()) }

  /// Returns the cached response to a GET without a token.
  ///
  /// - Parameter isSignedIn: whether the request may belong to a signed-in user. If so, only pictures are returned.
  func answer(to head: RequestHead, isSignedIn: Bool = false) -> CachedResponse? {
    guard isCurrent?() ?? true else { return nil }
    return state.withLock { state in
      guard
        let answer = state.shelf.answer(to: head.target.raw)
          ?? (state.hasVariants ? state.shelf.answer(to: head.variant) : nil),
        !isSignedIn || answer.isPicture,
        answer.end.map({ now() < $0 }) ?? true
      else { return nil }
      state.hits += 1
      return answer
    }
  }

  /// The body for a response to cache; `nil` if too much is still being sent.
  func reserve(_ body: Bytes) -> Bytes? { memory.reserve(body) }

  /// Caches a response.
  ///
  /// - Parameter moment: taken before the data of the response was read.
  func keep(_ answer: CachedResponse, to head: RequestHead, since moment: Moment) {
    // Evicted responses are deallocated outside the lock.
    _ = state.withLock { state in
      guard !state.mayHaveChanged(answer.subject, since: moment.changes) else {
        return [CachedResponse]()
      }
      guard answer.varies else { return state.shelf.insert(answer, to: head.target.raw) }
      state.hasVariants = true
      return state.shelf.insert(answer, to: head.variant)
    }
  }
}

extension RequestHead {
  /// The key of a response that varies with `Accept`. The header is used as sent: two spellings may mean the same, but
  /// one spelling never has two meanings (RFC 9111 §4.1). No target contains a space, so keys are unambiguous.
  fileprivate var variant: String { "\(target.raw) \(headers.combined(.accept) ?? "")" }
}

extension ResponseCache: ChangeObserver {
  package func changed(_ change: MemeChange) {
    switch change {
    // A purged meme was deleted before, so no cached response shows it. Cached responses do not depend on a user, so
    // changes of a user's sequence or sessions do not affect them.
    case .purged, .sequenced, .signedOut: return
    default: break
    }
    // Removed responses are deallocated outside the lock.
    _ = state.withLock { state in
      state.note(change)
      return state.shelf.remove(changedBy: change)
    }
  }
}

extension ResponseCache.State {
  /// The number of changes to remember. Only on a very busy machine do more changes occur while a response is built.
  private static var mostLatest: Int { 64 }

  fileprivate mutating func note(_ change: MemeChange) {
    let place = Int(changes % UInt64(Self.mostLatest))
    if place < latest.count { latest[place] = change } else { latest.append(change) }
    changes += 1
  }

  /// Whether a change after `moment` may affect a response that was read at `moment`.
  fileprivate func mayHaveChanged(_ subject: CachedResponse.Subject, since moment: UInt64) -> Bool {
    guard changes - moment <= UInt64(Self.mostLatest) else { return true }
    return (moment..<changes).contains { number in
      subject.isChanged(by: latest[Int(number % UInt64(Self.mostLatest))])
    }
  }
}
