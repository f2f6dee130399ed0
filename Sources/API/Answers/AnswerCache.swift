import HTTP
package import Memes
import Synchronization

/// Keeps answers ready in memory that many people ask for: pictures, details and pages of the list.
///
/// Nothing is ever answered from here that a change has made old. A change is told by ``changed(_:)`` before whoever made
/// it hears of it, and takes out what it touches. An answer is made of what was read at some earlier moment, so whoever
/// makes one takes ``moment`` before reading, and it is kept only if nothing has changed since. Safe to use from any thread.
package final class AnswerCache: Sendable {
  /// A point between two changes.
  struct Moment: Equatable { fileprivate let changes: UInt64 }

  private struct State {
    var shelf: AnswerShelf
    var changes: UInt64 = 0
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
      guard state.changes == moment.changes else { return [KnownAnswer]() }
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
    let meme: MemeID
    var onlyCounts = false
    switch change {
    case .created(let id), .edited(let id), .claimed(let id), .deleted(let id), .restored(let id):
      meme = id
    case .counted(let id): (meme, onlyCounts) = (id, true)
    // Nobody could see it any more before that.
    case .purged: return
    // It was told what that is; and nothing here is for one person.
    case .sequenced, .signedOut: return
    case .many:
      _ = state.withLock { state in
        state.changes += 1
        return state.shelf.removeEverything()
      }
      return
    }
    _ = state.withLock { state in
      state.changes += 1
      return (state.shelf.removeAll(about: meme, onlyCounts: onlyCounts), state.shelf.removeLists())
    }
  }
}
