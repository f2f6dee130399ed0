import Foundation
import Support
import Wire

// Changes through the server's API, without a device.
extension SyncLife {
  /// The id of a random meme on the server.
  private func kept() async throws -> String? {
    guard let meme = try await listed().randomElement(using: &random), let id = meme.id.text
    else { return nil }
    ledger.meet(id, caption: meme.top.text ?? "")
    return id
  }

  func editElsewhere() async throws {
    guard let id = try await kept() else { return }
    count += 1
    let caption = "elsewhere \(count)"
    story.tell("elsewhere: edit \(id) \(caption)")
    let answer = try await server.patch("/memes/\(id)", #"{"bottom":"\#(caption)"}"#, token: token)
    if answer.status != 200 { complain("an edit elsewhere: \(answer.status)") }
    ledger.memes[id]?.changers.insert("elsewhere")
  }

  func deleteElsewhere() async throws {
    guard let id = try await kept() else { return }
    story.tell("elsewhere: delete \(id)")
    let answer = try await server.delete("/memes/\(id)", token: token)
    if answer.status != 204 { complain("a deletion elsewhere: \(answer.status)") }
    ledger.memes[id]?.changers.insert("elsewhere")
    ledger.memes[id]?.isUnwanted = true
    ledger.memes[id]?.isGone = true
  }

  func restoreElsewhere() async throws {
    guard let id = ledger.ids.filter({ ledger.memes[$0]?.isGone == true }).first else { return }
    story.tell("elsewhere: restore \(id)")
    let answer = try await server.restore("/memes/\(id)", token: token)
    if answer.status != 200 { complain("a restoration: \(answer.status)") }
    ledger.memes[id]?.isGone = false
  }

  /// Copies the server's database the first time. Later calls often restore it from that copy.
  func copyOrRestoreServer() async throws {
    let (data, copy) = (folder.appending(path: "data"), folder.appending(path: "copy.db"))
    let hasCopy = FileManager.default.fileExists(atPath: copy.path)
    let restores = hasCopy && random.chance(0.7)
    let code = try await server.end(by: SIGTERM)
    if code != 0 { complain("the server ended with \(code): \(server.log.suffix(2000))") }
    if restores {
      histories.append(try await SyncHistory(in: data))
      let (code, output) = try await ServerProcess.run(["restore", copy.path, "--data", data.path])
      if code != 0 { complain("restore ended with \(code): \(output)") }
      story.tell("the server was restored")
      ledger.noteRestore()
      self.restores += 1
    } else {
      story.tell("the server's database was copied")
      try? FileManager.default.removeItem(at: copy)
      // Without a server the file is complete without a WAL.
      try FileManager.default.copyItem(at: data.appending(path: "mememe.db"), to: copy)
    }
    server = try await ServerProcess(data: data)
    proxy.lead(to: server.port)
    // Edits right after a restore could get the version of a lost edit.
    if restores { for _ in 0..<4 { try await editElsewhere() } }
  }

  /// The memes on the server, newest first.
  func listed() async throws -> [JSON] {
    var (found, next): ([JSON], String?) = ([], "/memes?author=me&limit=100")
    while let target = next {
      let answer = try await server.json("GET", target, nil, token: token)
      guard answer.status == 200 else {
        complain("\(target): \(answer.response.text.prefix(300))")
        return found
      }
      found += answer.json.items.elements
      next = answer.json.nextCursor.text.map { "/memes?author=me&limit=100&cursor=\($0)" }
    }
    return found
  }
}
