import Foundation
import Support
import Wire

// The end of a life: all devices sync completely, and then everything is compared.
extension SyncLife {
  func end() async throws {
    // Twice, because each device also has to fetch the other's changes.
    for device in devices + devices { try await finish(device) }
    let kept = try await listed()
    var drafts: [SyncDraft] = []
    for device in devices {
      let ofDevice = try await device.drafts().map { SyncDraft(of: device, $0) }
      // A device also shows memes that exist only as its drafts.
      let creations = Set(ofDevice.filter { $0.kind == "creation" }.map(\.meme))
      let shown = try await device.memes().filter { !creations.contains($0.id.text ?? "") }
      if shown.map(Self.looks) != kept.map(Self.looks) {
        complain(
          "\(device.name) shows \(shown.map(Self.looks)), the server \(kept.map(Self.looks))")
      }
      drafts += ofDevice
    }
    let code = try await server.end(by: SIGTERM)
    if code != 0 { complain("the server ended with \(code): \(server.log.suffix(2000))") }
    try await check(kept, drafts)
  }

  private func finish(_ device: Device) async throws {
    var ending = try await device.run("sync")
    for _ in 0..<20 where ending.code == Device.waits { ending = try await device.run("sync") }
    if ending.code != 0, ending.code != Device.refused {
      complain("the last sync of \(device.name) ended with \(ending.code): \(ending.complaints)")
    }
  }

  private static func looks(_ meme: JSON) -> String {
    [meme.id.text, meme.version.int.map(String.init), meme.top.text, meme.bottom.text]
      .map { $0 ?? "nil" }.joined(separator: " | ")
  }

  private func check(_ kept: [JSON], _ drafts: [SyncDraft]) async throws {
    let tops = kept.compactMap(\.top.text)
    if Set(tops).count != tops.count { complain("a meme is there twice: \(tops)") }
    let memes = Dictionary(
      kept.map { ($0.id.text ?? "", (top: $0.top.text ?? "", bottom: $0.bottom.text ?? "")) }
    ) { first, _ in first }
    let history = SyncHistory(
      histories + [try await SyncHistory(in: folder.appending(path: "data"))])
    for (id, known) in ledger.memes {
      for version in history.versions(of: id) {
        story.tell(
          "\(id) (\(known.caption)) had version \(version.number): \(version.bottom)\(version.isDeleted ? ", deleted" : "")"
        )
      }
    }
    for draft in drafts {
      story.tell(
        "\(draft.device) has a draft of \(draft.meme): \(draft.kind) \(draft.bottom ?? "")")
    }
    complaints += ledger.complaints(memes, drafts, history)
  }
}

extension SyncDraft {
  fileprivate init(of device: Device, _ draft: JSON) {
    self.init(
      device: device.name, meme: draft.meme.text ?? "", kind: draft.kind.text ?? "",
      bottom: draft.content.bottom.text)
  }
}
