/// What was asked for in a life, by devices and by somebody who uses none of them, and what must have become of it.
struct SyncLedger {
  struct Edit {
    let device: String
    /// The caption that no other edit has.
    let caption: String
    /// Whether the device said that it has it.
    let isSure: Bool
    /// Whether something of the meme waited on the device that this one may have become a part of.
    let isBehindAnother: Bool
  }

  /// What is known of a meme.
  struct Known {
    /// The caption that no other meme has.
    let caption: String
    /// What devices changed, since they last wanted the meme gone.
    var edits: [Edit] = []
    /// Who ever changed it, or wanted it gone.
    var changers: Set<String> = []
    /// Whether anybody wanted it gone.
    var isUnwanted = false
    /// Whether the server said that it is gone, and nobody wanted it back since.
    var isGone = false
  }

  /// What is wrong, and with which meme.
  struct Complaint {
    let text: String
    let meme: String?
  }

  var memes: [String: Known] = [:]
  /// Captions of memes whose device was killed before it said that it has them.
  var unsure: Set<String> = []

  /// Those of them that the server may have had before it was restored, and then lost.
  private var unsureBeforeRestore: Set<String> = []

  /// Whether the server was restored: changes since the copy may be lost there, and be made again.
  private(set) var isRestored = false

  var ids: [String] { memes.keys.sorted() }

  /// Whoever is shown a meme knows of it.
  mutating func meet(_ meme: String, caption: String) {
    guard memes[meme] == nil, unsure.remove(caption) != nil else { return }
    memes[meme] = Known(
      caption: caption, isUnwanted: unsureBeforeRestore.contains(caption))
  }

  mutating func note(_ edit: Edit, of meme: String) {
    memes[meme]?.changers.insert(edit.device)
    memes[meme]?.edits.append(edit)
  }

  /// The device wants it gone, and with it what was changed of it there.
  mutating func noteDeletion(of meme: String, on device: String) {
    memes[meme]?.isUnwanted = true
    memes[meme]?.changers.insert(device)
    memes[meme]?.edits.removeAll { $0.device == device }
  }

  /// The server is as it was when it was copied. Later memes may be drafts now, and deleted ones may be back.
  mutating func noteRestore() {
    isRestored = true
    unsureBeforeRestore.formUnion(unsure)
    for id in memes.keys {
      memes[id]?.isUnwanted = true
      memes[id]?.isGone = false
    }
  }

  /// What is wrong at the end.
  ///
  /// - Parameters:
  ///   - kept: the captions of the memes that the server has, by id.
  ///   - drafts: the captions that are kept as drafts, by device and meme.
  func complaints(
    _ kept: [String: (top: String, bottom: String)], _ drafts: [SyncDraft],
    _ history: SyncHistory
  ) -> [Complaint] {
    var complaints: [Complaint] = []
    for (id, known) in memes.sorted(by: { $0.key < $1.key }) {
      func complain(_ text: String) {
        complaints.append(Complaint(text: "\(known.caption) \(text)", meme: id))
      }
      let meme = kept[id]
      if known.isGone, meme != nil { complain("is back from the dead") }
      if !known.isUnwanted, meme == nil { complain("is lost") }
      if let meme, meme.top != known.caption { complain("says \(meme.top)") }
      let ofMeme = drafts.filter { $0.meme == id }
      let versions = history.versions(of: id)
      for edit in known.lostEdits(versions, ofMeme) {
        complain("lost \(edit.caption) of \(edit.device)")
      }
      for (number, states) in Dictionary(grouping: versions, by: \.number) {
        let captions = Set(states.map(\.bottom))
        if captions.count > 1 { complain("was at version \(number) as \(captions)") }
      }
      // A restored server may get lost changes again, or a device keeps them as drafts.
      if isRestored { continue }
      for caption in Self.repeated(versions.map(\.bottom)) { complain("was told \(caption) twice") }
      if known.changers.count < 2, let draft = ofMeme.first {
        complain("is a draft of \(draft.device), and nobody else changed it")
      }
      // What was done, and is seen, is no conflict; unless the meme was away meanwhile.
      if let meme, !versions.contains(where: \.isDeleted),
        ofMeme.contains(where: { $0.kind == "edit" && $0.bottom == meme.bottom })
      {
        complain("has \(meme.bottom), and it is a draft too")
      }
    }
    for (id, meme) in kept where memes[id] == nil && !unsure.contains(meme.top) {
      complaints.append(Complaint(text: "whose is \(meme.top)?", meme: id))
    }
    return complaints
  }

  /// What came again after something else.
  private static func repeated(_ captions: [String]) -> Set<String> {
    var (seen, repeated, last) = (Set<String>(), Set<String>(), nil as String?)
    for caption in captions where caption != last {
      if !seen.insert(caption).inserted { repeated.insert(caption) }
      last = caption
    }
    return repeated
  }
}

/// A change that a device keeps, since it was not taken.
struct SyncDraft {
  let device: String
  let meme: String
  let kind: String
  let bottom: String?
}

extension SyncLedger.Known {
  /// Edits that the server never had, and that their device does not keep as a draft, nor one that they became a part of.
  fileprivate func lostEdits(
    _ versions: [SyncHistory.Version], _ drafts: [SyncDraft]
  ) -> [SyncLedger.Edit] {
    let captions = Set(versions.map(\.bottom))
    return Dictionary(grouping: edits, by: \.device).flatMap { device, edits in
      let kept = Set(drafts.filter { $0.device == device }.compactMap(\.bottom))
      return edits.enumerated().filter { index, edit in
        let later = edits[(index + 1)...].prefix(while: \.isBehindAnother)
        return edit.isSure
          && !([edit] + later).contains {
            captions.contains($0.caption) || kept.contains($0.caption)
          }
      }.map(\.element)
    }
  }
}
