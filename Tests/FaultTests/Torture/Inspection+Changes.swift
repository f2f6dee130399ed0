import Support
import Wire

extension Inspection {
  /// A change without a response is either done or not begun. A share that is sent again is counted once in both cases.
  mutating func settleChanges() async throws {
    let state = ledger.snapshot
    for (id, change) in state.changing {
      guard let meme = listed[id], let kept = state.kept[id] else { continue }
      switch change {
      case .edit(let caption):
        if meme.version == kept.json.version { break }
        if meme.version.int != kept.json.version.int.map({ $0 + 1 }) || meme.top.text != caption {
          complaints.append("\(id) is half edited: \(meme)")
        }
        ledger.wasEdited(id, to: meme)
      case .share(let key):
        // A key expires before the trash is due.
        if !state.isTrashDue {
          let answer = try await client.share(id, key: key)
          if answer.status != 204 { complaints.append("a share, sent again: \(answer.status)") }
          listed[id] = try await client.ask("GET", "/memes/\(id)", token: adminToken).json
          ledger.wasShared(id)
        } else if meme.counts.shares.int == kept.shares + 1 {
          ledger.wasShared(id)
        }
      }
    }
    ledger.change { $0.changing = [:] }
  }

  /// Pictures that were uploaded ahead can be used until their day is over.
  mutating func checkSentAhead() async throws {
    let state = ledger.snapshot
    ledger.change { $0.ahead = [] }
    guard !state.isTrashDue else { return }
    for id in state.ahead.suffix(3) {
      let form = FormBody([.field("upload", id), .field("maxEdge", "16")])
      let answer = try await client.ask(
        "POST", "/memes/preview", ["Content-Type: \(form.contentType)"], form.bytes)
      if answer.status != 200 {
        complaints.append("what was sent ahead is \(answer.response.text.prefix(300))")
      }
    }
  }
}
