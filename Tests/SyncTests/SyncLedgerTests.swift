import Testing

/// The rules for lost and repeated changes in a simulated life.
struct SyncLedgerTests {
  /// The complaints about one meme that the phone posted, and that had these captions.
  private func complaints(
    _ edits: [SyncLedger.Edit], had captions: [String], drafts: [SyncDraft] = [],
    change: (inout SyncLedger) -> Void = { _ in }
  ) -> [String] {
    var ledger = SyncLedger()
    ledger.memes["m"] = SyncLedger.Known(caption: "phone 1")
    for edit in edits { ledger.note(edit, of: "m") }
    change(&ledger)
    let history = SyncHistory([
      "m": captions.enumerated().map {
        SyncHistory.Version(number: $0 + 1, bottom: $1, isDeleted: false)
      }
    ])
    return ledger.complaints(
      ["m": (top: "phone 1", bottom: captions.last ?? "")], drafts, history
    ).map(\.text)
  }

  private func edit(
    _ number: Int, on device: String = "phone", isSure: Bool = true, isBehind: Bool = false
  ) -> SyncLedger.Edit {
    SyncLedger.Edit(
      device: device, caption: "edit \(number)", isSure: isSure, isBehindAnother: isBehind)
  }

  private func draft(_ number: Int, on device: String = "phone") -> SyncDraft {
    SyncDraft(device: device, meme: "m", kind: "edit", bottom: "edit \(number)")
  }

  @Test func `an edit must be or have been on the server, or be a draft`() {
    #expect(complaints([edit(1)], had: ["", "edit 1"]) == [])
    #expect(complaints([edit(1)], had: ["", "edit 1", "elsewhere 2"]) == [])
    #expect(
      complaints([edit(1)], had: ["", "elsewhere 2"], drafts: [draft(1)], change: elsewhere) == [])
    let lost = ["phone 1 lost edit 1 of phone"]
    #expect(complaints([edit(1)], had: [""]) == lost)
    #expect(complaints([edit(1)], had: ["", "elsewhere 2"]) == lost)
    #expect(complaints([edit(1)], had: ["", "edit 11"]) == lost)
    #expect(
      complaints([edit(1)], had: [""], drafts: [draft(1, on: "tablet")], change: elsewhere) == lost)
  }

  @Test func `an edit may only be merged into a later edit of the same device`() {
    #expect(complaints([edit(1), edit(2, isBehind: true)], had: ["", "edit 2"]) == [])
    // Its process was killed after the edit was done.
    let killed = edit(2, isSure: false, isBehind: true)
    #expect(complaints([edit(1), killed], had: ["", "edit 2"]) == [])
    let third = edit(3, isBehind: true)
    #expect(
      complaints([edit(1), killed, third], had: [""], drafts: [draft(3)], change: elsewhere) == [])
    let lost = ["phone 1 lost edit 1 of phone"]
    #expect(complaints([edit(1), edit(2)], had: ["", "edit 2"]) == lost)
    #expect(complaints([edit(1), killed], had: [""]) == lost)
    let others = edit(2, on: "tablet", isBehind: true)
    #expect(complaints([edit(1), others], had: ["", "edit 2"]) == lost)
  }

  @Test func `a deletion gives up the edits of its own device only`() {
    let edits = [edit(1), edit(2, on: "tablet")]
    #expect(
      complaints(edits, had: [""]) { $0.noteDeletion(of: "m", on: "phone") }
        == ["phone 1 lost edit 2 of tablet"])
  }

  @Test func `a draft requires a conflict with another changer`() {
    #expect(
      complaints([edit(1)], had: [""], drafts: [draft(1)])
        == ["phone 1 is a draft of phone, and nobody else changed it"])
    #expect(
      complaints([edit(1)], had: ["", "elsewhere 2"], drafts: [draft(1)], change: elsewhere) == [])
  }

  private func elsewhere(_ ledger: inout SyncLedger) {
    ledger.memes["m"]?.changers.insert("elsewhere")
  }

  @Test func `no change is applied twice, or both applied and a draft`() {
    #expect(
      complaints([edit(1)], had: ["", "edit 1", "elsewhere 2", "edit 1"])
        == ["phone 1 was told edit 1 twice"])
    #expect(
      complaints([edit(1)], had: ["", "edit 1"], drafts: [draft(1)], change: elsewhere)
        == ["phone 1 has edit 1, and it is a draft too"])
  }
}
