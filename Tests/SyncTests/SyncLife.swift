import Foundation
import Support
import Synchronization
import Testing
import Wire

/// The life of one account: two devices behind a network that fails, somebody who changes the same memes elsewhere, and a
/// server, all of which may be killed at any moment. The seed says what happens, and when.
final class SyncLife {
  private static let steps = 40

  let seed: UInt64
  private(set) var complaints: [String] = []
  private var random: SeededRandom
  private var ledger = SyncLedger()
  private var server: ServerProcess
  private let proxy: FaultProxy
  private let devices: [Device]
  private let folder: URL
  private var token = ""
  private var kills = (devices: 0, server: 0)
  private var count = 0

  init(seed: UInt64) async throws {
    self.seed = seed
    random = SeededRandom(seed)
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-sync-\(seed)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder
    server = try await ServerProcess(data: folder.appending(path: "data"))
    let proxy = try FaultProxy(to: server.port)
    self.proxy = proxy
    devices = ["phone", "tablet"].map {
      Device(
        name: $0, store: folder.appending(path: $0), address: "http://127.0.0.1:\(proxy.port)")
    }
  }

  /// - Returns: a line of what happened. The folder is removed unless something was wrong.
  func run() async throws -> String {
    defer {
      proxy.stop()
      // Where something was thrown it still runs.
      if server.isRunning { server.send(signal: SIGKILL) }
    }
    try await begin()
    let faults = Mutex(SeededRandom(seed, 1))
    proxy.choose { _ in faults.withLock { Fault(&$0) } }
    for _ in 0..<Self.steps { try await step() }
    proxy.choose { _ in .none }
    try await proxy.settle()
    try await end()
    let code = try await server.end(by: SIGTERM)
    if code != 0 { complain("the server ended with \(code): \(server.log.suffix(2000))") }
    guard complaints.isEmpty else { return "seed \(seed): see \(folder.path)" }
    try FileManager.default.removeItem(at: folder)
    let met = proxy.met.filter { $0.key != "none" }.values.reduce(0, +)
    return
      "seed \(seed): \(ledger.memes.count) memes, \(ledger.memes.values.count(where: \.isUnwanted)) of them deleted, "
      + "\(met) of \(proxy.met.values.reduce(0, +)) requests met a fault, "
      + "\(kills.devices) clients and \(kills.server) servers killed"
  }

  private func complain(_ what: String) { complaints.append(what) }

  private func begin() async throws {
    _ = try await server.json(
      "POST", "/users",
      #"{"username":"ada","email":"ada@example.org","password":"\#(TestServer.password)"}"#
    ).expect(201)
    let session = try await server.json(
      "POST", "/sessions", #"{"username":"ada","password":"\#(TestServer.password)"}"#
    ).expect(201)
    token = session.json.token.text ?? ""
    try Data(try Fixture.opaqueAlpha.bytes).write(to: picture)
    for device in devices {
      let ending = try await device.run("login", "ada")
      if ending.code != 0 { complain("login on \(device.name): \(ending.complaints)") }
    }
  }

  private var picture: URL { folder.appending(path: "picture.png") }

  private func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

  private func step() async throws {
    let device = devices[number(0..<devices.count)]
    switch number(0..<20) {
    case 0..<4: try await post(on: device)
    case 4..<7: try await edit(on: device)
    case 7..<9: try await delete(on: device)
    case 9..<15: try await sync(device)
    case 15: try await editElsewhere()
    case 16: try await deleteElsewhere()
    case 17: try await restoreElsewhere()
    default: try await killServer()
    }
  }

  /// - Returns: `nil` where the process was killed, or the seed says that it is.
  private func change(
    _ device: Device, _ arguments: String...
  ) async throws -> ClientProcess.Ending? {
    let ending = try await device.run(
      arguments + ["--offline"], killedAfter: random.chance(0.2) ? number(0..<150) : nil)
    if ending.wasKilled {
      kills.devices += 1
      return nil
    }
    return ending
  }

  private func post(on device: Device) async throws {
    count += 1
    let caption = "\(device.name) \(count)"
    let ending = try await change(device, "post", picture.path, "--top", caption)
    let id = ending?.output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let id, !id.isEmpty else {
      ledger.unsure.insert(caption)
      if let ending { complain("post ended with \(ending.code): \(ending.complaints)") }
      return
    }
    ledger.memes[id] = SyncLedger.Known(caption: caption)
  }

  /// One of those that the device shows.
  private func shown(on device: Device) async throws -> String? {
    try await device.memes().randomElement(using: &random)?.id.text
  }

  private func edit(on device: Device) async throws {
    guard let id = try await shown(on: device) else { return }
    count += 1
    let caption = "edit \(count)"
    // Who is killed may have done it.
    let before = ledger.memes[id]?.edits ?? []
    ledger.memes[id]?.edits.append((device.name, caption))
    let ending = try await change(device, "edit", id, "--bottom", caption)
    if ending == nil { ledger.memes[id]?.edits = before + [("somebody", "")] }
    if let ending, ending.code != 0 {
      complain("edit ended with \(ending.code): \(ending.complaints)")
    }
  }

  private func delete(on device: Device) async throws {
    guard let id = try await shown(on: device) else { return }
    ledger.memes[id]?.isUnwanted = true
    let ending = try await change(device, "delete", id)
    if let ending, ending.code != 0 {
      complain("delete ended with \(ending.code): \(ending.complaints)")
    }
  }

  /// Ends by itself, or is killed.
  private func sync(_ device: Device) async throws {
    let isWatching = random.chance(0.3)
    let milliseconds = isWatching || random.chance(0.4) ? number(0..<900) : 4000
    let ending = try await device.run(
      isWatching ? ["sync", "--watch"] : ["sync"], killedAfter: milliseconds)
    if ending.wasKilled { kills.devices += 1 }
    if !ending.wasKilled, ![0, Device.refused, Device.waits].contains(ending.code) {
      complain("sync ended with \(ending.code): \(ending.complaints)")
    }
  }

  private func killServer() async throws {
    let code = try await server.end(by: SIGKILL)
    if code != SIGKILL { complain("a server had ended with \(code): \(server.log.suffix(2000))") }
    kills.server += 1
    server = try await ServerProcess(data: folder.appending(path: "data"))
    proxy.lead(to: server.port)
  }
}

extension SyncLife {
  /// A meme that is on the server.
  private func kept() async throws -> String? {
    try await listed().randomElement(using: &random)?.id.text
  }

  private func editElsewhere() async throws {
    guard let id = try await kept() else { return }
    count += 1
    let caption = "elsewhere \(count)"
    let answer = try await server.patch("/memes/\(id)", #"{"bottom":"\#(caption)"}"#, token: token)
    if answer.status != 200 { complain("an edit elsewhere: \(answer.status)") }
    ledger.memes[id]?.edits.append(("elsewhere", caption))
  }

  private func deleteElsewhere() async throws {
    guard let id = try await kept() else { return }
    let answer = try await server.delete("/memes/\(id)", token: token)
    if answer.status != 204 { complain("a deletion elsewhere: \(answer.status)") }
    ledger.memes[id]?.isUnwanted = true
    ledger.memes[id]?.isGone = true
  }

  private func restoreElsewhere() async throws {
    guard let id = ledger.ids.filter({ ledger.memes[$0]?.isGone == true }).first else { return }
    let answer = try await server.restore("/memes/\(id)", token: token)
    if answer.status != 200 { complain("a restoration: \(answer.status)") }
    ledger.memes[id]?.isGone = false
  }

  /// What the server has, newest first.
  private func listed() async throws -> [JSON] {
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

  /// Lets everybody get what they wanted, and compares.
  private func end() async throws {
    // What one sends the other has to fetch.
    for device in devices + devices { try await finish(device) }
    let kept = try await listed()
    for device in devices {
      let shown = try await device.memes()
      if shown.map(Self.looks) != kept.map(Self.looks) {
        complain(
          "\(device.name) shows \(shown.map(Self.looks)), the server \(kept.map(Self.looks))")
      }
    }
    try await check(kept)
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

  private func check(_ kept: [JSON]) async throws {
    let tops = kept.compactMap(\.top.text)
    if Set(tops).count != tops.count { complain("a meme is there twice: \(tops)") }
    let here = Dictionary(kept.map { ($0.id.text ?? "", $0) }) { first, _ in first }
    var drafts: [String] = []
    for device in devices { drafts += try await device.drafts().map { "\($0)" } }
    for (id, known) in ledger.memes {
      if known.isGone, here[id] != nil { complain("\(known.caption) is back from the dead") }
      if !known.isUnwanted, here[id] == nil { complain("\(known.caption) is lost") }
      if let meme = here[id], meme.top.text != known.caption {
        complain("\(known.caption) says \(meme.top)")
      }
      guard let last = known.edits.last, !known.isUnwanted else { continue }
      // What one alone changed is what they said last; what several changed is that, or somebody keeps it as a draft.
      let wanted = Set(known.edits.map(\.by)).count == 1 ? [last] : known.edits
      for edit in wanted where edit.by != "somebody" {
        let isOvertaken = known.edits.contains { $0.by != "somebody" && $0.caption != edit.caption }
        let isThere = here[id]?.bottom.text == edit.caption
        if !isThere, !isOvertaken, !drafts.contains(where: { $0.contains(edit.caption) }) {
          complain("\(edit.caption) of \(known.caption) is neither there nor a draft")
        }
      }
    }
    for top in tops where !ledger.unsure.contains(top) {
      if !ledger.memes.values.contains(where: { $0.caption == top }) {
        complain("whose is \(top)?")
      }
    }
  }
}
