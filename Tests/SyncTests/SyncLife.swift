import Foundation
import Support
import Synchronization
import Testing
import Wire

/// A simulated life of one account: two devices behind a faulty network, changes of the same memes elsewhere, and a
/// server. Each process may be killed at any moment. The seed determines the events and their times.
final class SyncLife {
  private static let steps = 40

  let seed: UInt64
  var complaints: [SyncLedger.Complaint] = []
  let story = SyncStory()
  var random: SeededRandom
  var ledger = SyncLedger()
  var server: ServerProcess
  let proxy: FaultProxy
  let devices: [Device]
  let folder: URL
  private(set) var token = ""
  private var kills = (devices: 0, server: 0)
  var restores = 0
  /// The server's history before each restore.
  var histories: [SyncHistory] = []
  var count = 0

  init(seed: UInt64) async throws {
    self.seed = seed
    random = SeededRandom(seed)
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-sync-\(seed)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder
    try await SyncHistory.begin(in: folder.appending(path: "data"))
    server = try await ServerProcess(data: folder.appending(path: "data"))
    let proxy = try FaultProxy(to: server.port)
    proxy.tell { [story] in story.tell("  \($0)") }
    self.proxy = proxy
    devices = ["phone", "tablet"].map {
      Device(
        name: $0, store: folder.appending(path: $0), address: "http://127.0.0.1:\(proxy.port)")
    }
  }

  /// - Returns: A one-line summary. The folder is removed unless there are complaints; then it has the story.
  func run() async throws -> String {
    defer {
      proxy.stop()
      // If an error was thrown, the server is still running.
      if server.isRunning { server.send(signal: SIGKILL) }
      if FileManager.default.fileExists(atPath: folder.path) {
        try? Data(story.lines.joined(separator: "\n").utf8)
          .write(to: folder.appending(path: "story"))
      }
    }
    try await begin()
    let faults = Mutex(SeededRandom(seed, 1))
    proxy.choose { _ in faults.withLock { Fault(&$0) } }
    for _ in 0..<Self.steps { try await step() }
    proxy.choose { _ in .none }
    try await proxy.settle()
    try await end()
    guard complaints.isEmpty else { return "seed \(seed): see \(folder.path)/story" }
    try FileManager.default.removeItem(at: folder)
    let met = proxy.met.filter { $0.key != "none" }.values.reduce(0, +)
    return
      "seed \(seed): \(ledger.memes.count) memes, \(ledger.memes.values.count(where: \.isUnwanted)) of them deleted, "
      + "\(met) of \(proxy.met.values.reduce(0, +)) requests met a fault, "
      + "\(kills.devices) clients and \(kills.server) servers killed, \(restores) restores"
  }

  func complain(_ text: String) {
    story.tell(text)
    complaints.append(SyncLedger.Complaint(text: text, meme: nil))
  }

  /// The events of the memes that have complaints.
  var tale: String {
    let memes = Set(complaints.compactMap(\.meme))
    return memes.sorted().flatMap { story.lines(of: $0) }.joined(separator: "\n")
  }

  private func begin() async throws {
    _ = try await server.json(
      "POST", "/users",
      #"{"username":"ada","email":"ada@example.org","password":"\#(TestServer.password)"}"#
    ).expect(201)
    let session = try await server.json(
      "POST", "/sessions", #"{"username":"ada","password":"\#(TestServer.password)"}"#
    ).expect(201)
    token = session.json.token.text ?? ""
    let small = Data(try Fixture.opaqueAlpha.bytes)
    try small.write(to: picture)
    // With trailing bytes that no decoder reads, so that the file is uploaded in pieces.
    try (small + Data(count: 1_100_000)).write(to: largePicture)
    for device in devices {
      var ending = try await device.run("login", "ada")
      // On a busy machine hashing a password can take longer than the device's timeout.
      for _ in 0..<9 where ending.code == Device.waits {
        ending = try await device.run("login", "ada")
      }
      if ending.code != 0 { complain("login on \(device.name): \(ending.complaints)") }
    }
  }

  private var picture: URL { folder.appending(path: "picture.png") }
  private var largePicture: URL { folder.appending(path: "large.png") }

  private func number(_ range: Range<Int>) -> Int { .random(in: range, using: &random) }

  private func step() async throws {
    let device = devices[number(0..<devices.count)]
    switch number(0..<21) {
    case 0..<4: try await post(on: device)
    case 4..<7: try await edit(on: device)
    case 7..<9: try await delete(on: device)
    case 9..<15: try await sync(device)
    case 15: try await editElsewhere()
    case 16: try await deleteElsewhere()
    case 17: try await restoreElsewhere()
    case 18: try await copyOrRestoreServer()
    default: try await killServer()
    }
  }

  /// - Returns: `nil` if the process was killed before its end.
  private func change(
    _ device: Device, _ arguments: String...
  ) async throws -> ClientProcess.Ending? {
    let ending = try await device.run(
      arguments + ["--offline"], killedAfter: random.chance(0.2) ? number(0..<150) : nil)
    let words = arguments.map { $0.hasPrefix("/") ? "\($0.split(separator: "/").last ?? "")" : $0 }
      .joined(separator: " ")
    story.tell(
      "\(device.name): \(words) \(ending.wasKilled ? "was killed" : "ended with \(ending.code)")")
    if ending.wasKilled {
      kills.devices += 1
      return nil
    }
    return ending
  }

  private func post(on device: Device) async throws {
    count += 1
    let caption = "\(device.name) \(count)"
    let file = random.chance(0.25) ? largePicture : picture
    let ending = try await change(device, "post", file.path, "--top", caption)
    let id = ending?.output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let id, !id.isEmpty else {
      ledger.unsure.insert(caption)
      if let ending { complain("post ended with \(ending.code): \(ending.complaints)") }
      return
    }
    ledger.memes[id] = SyncLedger.Known(caption: caption)
  }

  /// A random meme that the device shows.
  private func shown(on device: Device) async throws -> (id: String, meme: JSON)? {
    guard let meme = try await device.memes().randomElement(using: &random), let id = meme.id.text
    else { return nil }
    ledger.meet(id, caption: meme.top.text ?? "")
    return (id, meme)
  }

  private func edit(on device: Device) async throws {
    guard let (id, meme) = try await shown(on: device) else { return }
    count += 1
    let caption = "edit \(count)"
    let ending = try await change(device, "edit", id, "--bottom", caption)
    // A killed process may have made the edit.
    ledger.note(
      SyncLedger.Edit(
        device: device.name, caption: caption, isSure: ending != nil,
        // A meme that the server does not have is a pending creation or its draft.
        isBehindAnother: meme.state.text == "waiting" || meme.version.int == nil), of: id)
    if let ending, ending.code != 0 {
      complain("edit ended with \(ending.code): \(ending.complaints)")
    }
  }

  private func delete(on device: Device) async throws {
    guard let (id, _) = try await shown(on: device) else { return }
    ledger.noteDeletion(of: id, on: device.name)
    let ending = try await change(device, "delete", id)
    if let ending, ending.code != 0 {
      complain("delete ended with \(ending.code): \(ending.complaints)")
    }
  }

  /// Syncs until the command ends or is killed.
  private func sync(_ device: Device) async throws {
    let isWatching = random.chance(0.3)
    let milliseconds = isWatching || random.chance(0.4) ? number(0..<900) : 4000
    let words = isWatching ? ["sync", "--watch"] : ["sync"]
    story.tell(
      "\(device.name): \(words.joined(separator: " ")), to be killed after \(milliseconds) ms")
    let ending = try await device.run(words, killedAfter: milliseconds)
    story.tell(
      "\(device.name): sync \(ending.wasKilled ? "was killed" : "ended with \(ending.code)")")
    if ending.wasKilled { kills.devices += 1 }
    if !ending.wasKilled, ![0, Device.refused, Device.waits].contains(ending.code) {
      complain("sync ended with \(ending.code): \(ending.complaints)")
    }
  }

  private func killServer() async throws {
    let code = try await server.end(by: SIGKILL)
    story.tell("the server was killed")
    if code != SIGKILL { complain("a server had ended with \(code): \(server.log.suffix(2000))") }
    kills.server += 1
    server = try await ServerProcess(data: folder.appending(path: "data"))
    proxy.lead(to: server.port)
  }
}
