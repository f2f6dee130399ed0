/// The changes requested in one simulated life, by devices and elsewhere, and the rules for their results.
struct SyncLedger {
  struct Edit {
    let device: String
    /// The caption, unique among all edits.
    let caption: String
    /// Whether the device acknowledged the edit.
    let isSure: Bool
    /// Whether the device may have merged this edit with a pending change of the same meme.
    let isBehindAnother: Bool
  }

  /// The recorded facts about a meme.
  struct Known {
    /// The caption, unique among all memes.
    let caption: String
    /// The edits by devices, without those that a device gave up by deleting the meme.
    var edits: [Edit] = []
    /// The devices that ever edited or deleted the meme, and "elsewhere".
    var changers: Set<String> = []
    /// Whether anyone deleted the meme, or a restore may have lost it.
    var isUnwanted = false
    /// Whether the server acknowledged its deletion, with no restoration since.
    var isGone = false
  }

  /// A violated rule, and the meme that it concerns.
  struct Complaint {
    let text: String
    let meme: String?
  }

  var memes: [String: Known] = [:]
  /// Captions of memes whose device was killed before it acknowledged them.
  var unsure: Set<String> = []

  /// The unacknowledged captions that the server may have had before a restore, and then lost.
  private var unsureBeforeRestore: Set<String> = []

  /// Whether the server was restored. Changes made after the copy may be lost there, and be made again.
  private(set) var isRestored = false

  var ids: [String] { memes.keys.sorted() }

  /// Records a meme that a device or the server shows.
  mutating func meet(_ meme: String, caption: String) {
    guard memes[meme] == nil, unsure.remove(caption) != nil else { return }
    memes[meme] = Known(
      caption: caption, isUnwanted: unsureBeforeRestore.contains(caption))
  }

  mutating func note(_ edit: Edit, of meme: String) {
    memes[meme]?.changers.insert(edit.device)
    memes[meme]?.edits.append(edit)
  }

  /// Records that the device deletes the meme, and thereby gives up its own edits of it.
  mutating func noteDeletion(of meme: String, on device: String) {
    memes[meme]?.isUnwanted = true
    memes[meme]?.changers.insert(device)
    memes[meme]?.edits.removeAll { $0.device == device }
  }

  /// Records that the server is back at its copy. Later memes may be drafts now, and deleted ones may be back.
  mutating func noteRestore() {
    isRestored = true
    unsureBeforeRestore.formUnion(unsure)
    for id in memes.keys {
      memes[id]?.isUnwanted = true
      memes[id]?.isGone = false
    }
  }

  /// Returns the violated rules at the end.
  ///
  /// - Parameters:
  ///   - kept: The captions of the memes that the server has, by id.
  ///   - drafts: The drafts of all devices.
  ///   - history: All versions that the server had.
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
      // A restored server may receive lost changes again, or a device may keep them as drafts.
      if isRestored { continue }
      for caption in Self.repeated(versions.map(\.bottom)) { complain("was told \(caption) twice") }
      if known.changers.count < 2, let draft = ofMeme.first {
        complain("is a draft of \(draft.device), and nobody else changed it")
      }
      // A change that was applied and is visible must not be a draft too, unless the meme was deleted in between.
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

  /// The captions that recur after another caption.
  private static func repeated(_ captions: [String]) -> Set<String> {
    var (seen, repeated, last) = (Set<String>(), Set<String>(), nil as String?)
    for caption in captions where caption != last {
      if !seen.insert(caption).inserted { repeated.insert(caption) }
      last = caption
    }
    return repeated
  }
}

/// A change that the server did not accept and that a device keeps.
struct SyncDraft {
  let device: String
  let meme: String
  let kind: String
  let bottom: String?
}

extension SyncLedger.Known {
  /// The acknowledged edits that are lost: neither they nor a later edit that may include them was ever on
  /// the server or is a draft of the device.
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
