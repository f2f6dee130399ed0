import Support
import Synchronization

/// What the clients of a server sent, and what they were told: what has to be true after any crash.
final class Ledger: Sendable {
  /// An upload. No two have the same picture.
  struct Upload: Sendable {
    /// SHA-256 of the picture, hexadecimal.
    let digest: String
    let caption: String
    /// The client's own id, where it brought one.
    let id: String?
    /// Its Idempotency-Key, where it came with one.
    let key: String?
    let form: FormBody
  }

  /// A meme that was acknowledged, or was found whole.
  struct Kept: Sendable {
    let upload: Upload
    /// As it was first told, without what only the uploader sees.
    var json: JSON
    /// How many shares of it were acknowledged.
    var shares = 0
    /// The round in which it was last touched.
    var round: Int
    var token: String?
  }

  struct State: Sendable {
    var round = 0
    var kept: [String: Kept] = [:]
    /// Ids whose deletion was asked for and not answered: there, or not.
    var deleting: Set<String> = []
    /// Ids whose deletion was acknowledged.
    var deleted: Set<String> = []
    /// Those of them that can be restored.
    var trash: [String: Kept] = [:]
    /// Ids of the trash whose restoration was asked for and not answered: there, or not.
    var restoring: Set<String> = []
    /// Whether all that was in the trash at the last crash is past its days.
    var isTrashDue = false
    /// How far the server's clock is ahead.
    var daysAhead = 0
    /// Changes that were asked for and not answered, by the meme's id: done, or not.
    var changing: [String: Change] = [:]
    /// Ids of pictures that were sent ahead since the last crash.
    var ahead: [String] = []
    /// Uploads that were not answered, by digest: there, or not; but never half.
    var unanswered: [String: Upload] = [:]
    /// Answers that nobody should get, and what was found wrong.
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

  /// An upload was answered 201, or 200 where it was there already.
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
        token: answer.deleteToken.text)
    }
  }

  /// - Returns: a meme to delete, which is then in the open; never the same one twice.
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

  /// - Returns: a meme of the trash to restore, which is then in the open.
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
