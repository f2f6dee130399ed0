import HTTP
package import Memes
import Synchronization

/// Keeps answers ready in memory that many people ask for: pictures, details and pages of the list.
///
/// Nothing is ever answered from here that a change has made old. A change is told by ``changed(_:)`` before whoever made
/// it hears of it, and takes out the answers that it may have changed. An answer is made of what was read at some earlier moment, so
/// whoever makes one takes ``moment`` before reading, and it is kept only if no change since has touched it. Safe to use from any thread.
package final class AnswerCache: Sendable {
  /// A point between two changes.
  struct Moment: Equatable { fileprivate let changes: UInt64 }

  fileprivate struct State {
    var shelf: AnswerShelf
    var changes: UInt64 = 0
    /// The last of them, each at its number modulo their count.
    var latest: [MemeChange] = []
    var hits = 0
    var hasVariants = false
  }

  private let state: Mutex<State>

  /// - Parameter capacityBytes: 0 where nothing is to be kept.
  package init(capacityBytes: Int) {
    state = Mutex(State(shelf: AnswerShelf(capacityBytes: capacityBytes)))
  }

  /// How many answers are kept, how many bytes they take, and how many requests were answered from here.
  package var statistics: (answers: Int, bytes: Int, hits: Int) {
    state.withLock { ($0.shelf.count, $0.shelf.usedBytes, $0.hits) }
  }

  var moment: Moment { state.withLock { Moment(changes: $0.changes) } }

  /// The answer to a GET without a token.
  ///
  /// - Parameter isSignedIn: whether the request may be that of an account: then only pictures are answered.
  func answer(to head: RequestHead, isSignedIn: Bool = false) -> KnownAnswer? {
    state.withLock { state in
      guard
        let answer = state.shelf.answer(to: head.target.raw)
          ?? (state.hasVariants ? state.shelf.answer(to: head.variant) : nil),
        !isSignedIn || answer.isPicture
      else { return nil }
      state.hits += 1
      return answer
    }
  }

  /// Keeps an answer.
  ///
  /// - Parameter moment: before anything was read that the answer is made of.
  func keep(_ answer: KnownAnswer, to head: RequestHead, since moment: Moment) {
    // What gives way is freed after the lock is.
    _ = state.withLock { state in
      guard !state.mayHaveChanged(answer.subject, since: moment.changes) else {
        return [KnownAnswer]()
      }
      guard answer.varies else { return state.shelf.insert(answer, to: head.target.raw) }
      state.hasVariants = true
      return state.shelf.insert(answer, to: head.variant)
    }
  }
}

extension RequestHead {
  /// What an answer is kept by that varies with `Accept`, as sent: two texts may say the same, but one never says two things
  /// (RFC 9111 §4.1). No target has a space in it.
  fileprivate var variant: String { "\(target.raw) \(headers.combined(.accept) ?? "")" }
}

extension AnswerCache: ChangeObserver {
  package func changed(_ change: MemeChange) {
    switch change {
    // A purged meme was gone before, and nothing here is for one person.
    case .purged, .sequenced, .signedOut: return
    default: break
    }
    // The answers are freed after the lock is.
    _ = state.withLock { state in
      state.note(change)
      return state.shelf.remove(changedBy: change)
    }
  }
}

extension AnswerCache.State {
  /// More come between the reading of an answer and its end only on a machine that is very busy.
  private static var mostLatest: Int { 64 }

  fileprivate mutating func note(_ change: MemeChange) {
    let place = Int(changes % UInt64(Self.mostLatest))
    if place < latest.count { latest[place] = change } else { latest.append(change) }
    changes += 1
  }

  /// Whether one of the changes since may have changed an answer that was read before them.
  fileprivate func mayHaveChanged(_ subject: KnownAnswer.Subject, since moment: UInt64) -> Bool {
    guard changes - moment <= UInt64(Self.mostLatest) else { return true }
    return (moment..<changes).contains { number in
      subject.isChanged(by: latest[Int(number % UInt64(Self.mostLatest))])
    }
  }
}
