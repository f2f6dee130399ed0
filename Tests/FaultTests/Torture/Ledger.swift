import Support
import Synchronization

/// The requests of a server's clients and the responses that they got. These facts must be true after any crash.
final class Ledger: Sendable {
  /// An upload. No two have the same picture.
  struct Upload: Sendable {
    /// The SHA-256 of the picture, in hexadecimal.
    let digest: String
    /// The client's own id, if it sent one.
    let id: String?
    /// The idempotency key, if the client sent one.
    let key: String?
    let form: FormBody
    /// The session of the account that uploads, if there is one.
    var session: String?
  }

  /// A meme that was acknowledged, or that was found complete.
  struct Kept: Sendable {
    let upload: Upload
    /// The first response, without the members that only the uploader sees.
    var json: JSON
    /// The number of acknowledged shares.
    var shares = 0
    /// The round in which the meme last changed.
    var round: Int
    var token: String?
  }

  struct State: Sendable {
    var round = 0
    var kept: [String: Kept] = [:]
    /// Ids whose deletion was requested but got no response. The memes may exist or not.
    var deleting: Set<String> = []
    /// Ids whose deletion was acknowledged.
    var deleted: Set<String> = []
    /// The deleted memes that can be restored.
    var trash: [String: Kept] = [:]
    /// Ids in the trash whose restoration was requested but got no response. The memes may be restored or not.
    var restoring: Set<String> = []
    /// Whether everything that was in the trash at the last crash is past its days.
    var isTrashDue = false
    /// The number of days by which the server's clock is ahead.
    var daysAhead = 0
    /// Changes that were requested but got no response, by meme id. They may be done or not.
    var changing: [String: Change] = [:]
    /// Ids of pictures that were uploaded ahead since the last crash.
    var ahead: [String] = []
    /// Uploads that got no response, by digest. They may exist or not, but never in part.
    var unanswered: [String: Upload] = [:]
    /// Responses that a client should never get, and other problems.
    var complaints: [String] = []
  }

  private let state = Mutex(State())

  var snapshot: State { state.withLock { $0 } }

  func change<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  func complain(_ text: String) { state.withLock { $0.complaints.append(text) } }

  func willUpload(_ upload: Upload) {
    state.withLock { $0.unanswered[upload.digest] = upload }
  }

  /// Records the response to an upload: 201, or 200 if the meme already existed.
  func wasUploaded(_ upload: Upload, _ answer: JSON) {
    state.withLock { state in
      state.unanswered[upload.digest] = nil
      guard let id = answer.id.text else {
        state.complaints.append("an upload's answer has no id")
        return
      }
      if let own = upload.id, own != id { state.complaints.append("\(own) became \(id)") }
      state.kept[id] = Kept(
        upload: upload, json: answer.lacking(["deleteToken"]), round: state.round,
        token: answer.deleteToken.text ?? upload.session)
    }
  }

  /// Whether no attempt to upload it got a response.
  func isUnanswered(_ upload: Upload) -> Bool {
    state.withLock { $0.unanswered[upload.digest] != nil }
  }

  /// Whether a change of the meme got no response.
  func isUncertain(_ id: String) -> Bool {
    state.withLock { $0.changing[id] != nil || $0.deleting.contains(id) }
  }

  /// - Returns: a meme to delete, whose deletion is pending from now on. Never returns the same meme twice.
  func willDelete(among ids: [String]) -> (id: String, token: String)? {
    state.withLock { state in
      for id in ids where !state.deleting.contains(id) {
        guard let token = state.kept[id]?.token else { continue }
        state.deleting.insert(id)
        return (id, token)
      }
      return nil
    }
  }

  func wasDeleted(_ id: String) {
    state.withLock { state in
      state.deleting.remove(id)
      state.trash[id] = state.kept.removeValue(forKey: id)
      state.deleted.insert(id)
    }
  }

  /// - Returns: a meme in the trash to restore, whose restoration is pending from now on.
  func willRestore(_ random: inout SeededRandom) -> (id: String, token: String)? {
    state.withLock { state in
      let ids = state.trash.keys.filter { !state.restoring.contains($0) }.sorted()
      guard let id = ids.randomElement(using: &random), let token = state.trash[id]?.token else {
        return nil
      }
      state.restoring.insert(id)
      return (id, token)
    }
  }

  func wasRestored(_ id: String) {
    state.withLock { state in
      state.restoring.remove(id)
      guard var meme = state.trash.removeValue(forKey: id) else { return }
      meme.round = state.round
      state.kept[id] = meme
      state.deleted.remove(id)
    }
  }
}

extension JSON {
  /// The object without these members.
  func lacking(_ names: Set<String>) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }
}
