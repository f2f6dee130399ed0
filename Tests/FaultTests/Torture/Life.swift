import Foundation
import Support
import Testing
import Wire

/// The life of a data folder: in each round a server starts on it, serves many clients, and is killed.
final class Life: Sendable {
  private static let clients = 32
  private static let adminToken = "an-admin-token-for-torture"
  /// More days than a deleted meme can be restored.
  private static let trashDays = 8

  let seed: UInt64
  private let folder: URL
  private let executable: URL?
  private let ledger = Ledger()
  #if os(Linux)
    private let machine: FaultyMachine
    private let losesPower: Bool
  #endif

  private var data: URL { folder.appending(path: "data") }

  /// - Parameter executable: the server, or `nil` for the one that was built with the tests.
  init(seed: UInt64, executable: URL? = nil) throws {
    (self.seed, self.executable) = (seed, executable)
    folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-torture-\(seed)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #if os(Linux)
      machine = try FaultyMachine(in: folder.appending(path: "machine"))
      losesPower = seed % 2 == 1
    #endif
  }

  /// Lives through the rounds, and inspects everything at the end.
  ///
  /// - Returns: a summary in one line. The folder is removed unless a problem was found.
  func run(rounds: Int) async throws -> String {
    for round in 0..<rounds {
      ledger.change { $0.round = round }
      try await self.round(round)
      guard complaints.isEmpty else {
        return "seed \(seed), round \(round): data is in \(folder.path)"
      }
    }
    var random = SeededRandom(seed, rounds)
    #if os(Linux)
      machine.mend()
      letTrashBecomeDue()
    #endif
    let server = try await ServerProcess(
      data: data, settings: settings(&random), executable: executable)
    try await inspect(server) { _ in true }
    #if os(Linux)
      try await untilPurged(server)
    #endif
    let code = try await server.end(by: SIGTERM)
    if code != 0 { ledger.complain("the last stop ended with \(code): \(server.log.suffix(2000))") }
    let (found, output) = try await ServerProcess.run(
      ["check", "--decode", "--data", data.path], executable: executable)
    if found != 0 { ledger.complain("check ended with \(found): \(output)") }
    #if os(Linux)
      if !output.contains("(0 in the trash)") { ledger.complain("check found a trash: \(output)") }
    #endif
    let state = ledger.snapshot
    guard complaints.isEmpty else { return "seed \(seed), at the end: data is in \(folder.path)" }
    try FileManager.default.removeItem(at: folder)
    return
      "seed \(seed): \(rounds) rounds, \(state.kept.count) memes kept, \(state.deleted.count) deleted, "
      + "\(state.kept.values.count { $0.json.version != .number(1) }) edited, "
      + "\(state.kept.values.reduce(0) { $0 + $1.shares }) shares"
  }

  var complaints: [String] { ledger.snapshot.complaints }

  private func round(_ round: Int) async throws {
    var random = SeededRandom(seed, round)
    let ending = Ending(&random)
    #if os(Linux)
      machine.mend()
      if random.chance(0.3) { letTrashBecomeDue() }
      if case .atCall(let calls, let files, let number, fromStart: true) = ending {
        machine.fail(calls, on: files, after: number, .kill)
      }
    #endif
    let server = try ServerProcess(
      launching: data, settings: settings(&random), executable: executable)
    if case .starting(let milliseconds) = ending {
      try await Task.sleep(for: .milliseconds(milliseconds))
      return try await kill(server)
    }
    do { try await server.ready() } catch {
      let code = try await server.ended()
      if code != SIGKILL { ledger.complain("round \(round) ended with \(code): \(server.log)") }
      return
    }
    do {
      try await inspect(server) { [last = round - 1] in $0.round >= last }
    } catch {
      // A server that is to die at a call may die during the inspection.
      guard case .atCall(_, _, _, fromStart: true) = ending else { throw error }
      return try await kill(server)
    }
    await withTaskGroup { group in
      for number in 0..<Self.clients {
        var client = TortureClient(number, ledger, SeededRandom(seed, round, number))
        group.addTask { await client.run(on: server) }
      }
      group.addTask { [self] in
        do { try await end(server, ending) } catch { ledger.complain("round \(round): \(error)") }
      }
    }
  }

  private func end(_ server: ServerProcess, _ ending: Ending) async throws {
    switch ending {
    case .starting: break
    case .serving(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
    case .stopping(let after, let milliseconds):
      try await Task.sleep(for: .milliseconds(after))
      Foundation.kill(server.processID, SIGTERM)
      try await Task.sleep(for: .milliseconds(milliseconds))
    #if os(Linux)
      case .atCall(let calls, let files, let number, let fromStart):
        if !fromStart { machine.fail(calls, on: files, after: number, .kill) }
        let deadline = ContinuousClock.now + .milliseconds(fromStart ? 100 : 700)
        while server.isRunning, .now < deadline { try await Task.sleep(for: .milliseconds(10)) }
    #endif
    }
    try await kill(server)
  }

  private func kill(_ server: ServerProcess) async throws {
    let code = try await server.end(by: SIGKILL)
    // It may have stopped properly before it was killed.
    if code != SIGKILL, code != 0 {
      ledger.complain("the server ended with \(code): \(server.log.suffix(2000))")
    }
  }

  #if os(Linux)
    /// Advances the clock while no server runs, so that the next server purges everything that is deleted.
    private func letTrashBecomeDue() {
      let days = ledger.change { state in
        state.isTrashDue = true
        state.daysAhead += Self.trashDays
        return state.daysAhead
      }
      machine.setClock(aheadSeconds: days * 86_400)
    }

    private func untilPurged(_ server: ServerProcess) async throws {
      let deadline = ContinuousClock.now + .seconds(30)
      var metrics = ""
      while !metrics.contains("mememe_memes{state=\"deleted\"} 0\n") {
        guard .now < deadline else { return ledger.complain("the trash was not emptied") }
        metrics = try await server.get("/metrics").response.text
      }
    }
  #endif

  private func inspect(
    _ server: ServerProcess, filesOf isDue: (Ledger.Kept) -> Bool
  ) async throws {
    var inspection = try Inspection(ledger, server, adminToken: Self.adminToken)
    try await inspection.run(filesOf: isDue)
    inspection.complaints.forEach(ledger.complain)
  }

  private func settings(_ random: inout SeededRandom) -> [String: String] {
    var settings = ["MEMEME_ADMIN_TOKEN": Self.adminToken, "MALLOC_ARENA_MAX": "2"]
    #if os(Linux)
      // All unsynced writes are lost, or parts of them.
      let keeping: UInt64? = random.chance(0.5) ? nil : random.next() | 1
      settings.merge(
        machine.environment(data: data, power: losesPower ? .goes(keeping: keeping) : .stays)
      ) { $1 }
    #endif
    return settings
  }
}
