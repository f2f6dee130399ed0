import Foundation
import Support
import Synchronization
import Testing
import Wire

/// The life of a PostgreSQL database with several servers behind nginx, and an object store if there is one. In each
/// round many clients write, each request at nginx or another server, while any of these is killed or stopped.
final class ServersLife: Sendable {
  private static let clients = 32
  private static let username = "ada"

  let seed: UInt64
  private let folder: URL
  private let executable: URL?
  private let count: Int
  private let database: PostgreSQLServer
  private let objects: SeaweedServer?
  private let ledger = Ledger()

  /// - Parameter executable: the server, or `nil` for the one that was built with the tests.
  init(seed: UInt64, servers count: Int, hasObjects: Bool, executable: URL? = nil) throws {
    (self.seed, self.count, self.executable) = (seed, count, executable)
    folder = FileManager.default.temporaryDirectory
      .appending(path: "mememe-torture-\(seed)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = try PostgreSQLServer(isDurable: true)
    objects = hasObjects ? try SeaweedServer(in: folder) : nil
  }

  var complaints: [String] { ledger.snapshot.complaints }

  /// Lives through the rounds, and inspects everything at the end.
  ///
  /// - Returns: a summary in one line. The logs are kept if a problem was found.
  func run(rounds: Int) async throws -> String {
    let address = database.address(of: try database.makeDatabase())
    let settings = try ServerGroup.settings(address, in: folder)
      .merging(objects?.settings ?? [:]) { $1 }
    let servers = try await ServerGroup(
      count, in: folder, settings: settings, executable: executable)
    let session = try await signIn(at: servers)
    var follower = ChangeFollower(session: session, SeededRandom(seed, -1))
    var outages: [String: Int] = [:]
    for round in 0..<rounds {
      ledger.change { $0.round = round }
      for outage in try await self.round(round, servers, &follower) {
        outages["\(outage)".prefix { $0 != "(" }.description, default: 0] += 1
      }
      guard complaints.isEmpty else { return try kept(servers, "round \(round)") }
    }
    try await inspect(servers) { _ in true }
    for server in servers.all {
      let code = try await server.end(by: SIGTERM)
      if code != 0 { ledger.complain("the stop ended with \(code): \(server.log.suffix(2000))") }
    }
    let deadlocks = database.log.count(of: "deadlock detected")
    if deadlocks > 0 { ledger.complain("PostgreSQL found \(deadlocks) deadlocks") }
    let orphans = try await checkObjects(address, settings)
    guard complaints.isEmpty else { return try kept(servers, "the end") }
    try await blocking { [objects] in
      try servers.nginx?.program.close()
      try objects?.program.close()
    }
    try await blocking { [database] in try database.close() }
    try FileManager.default.removeItem(at: folder)
    let state = ledger.snapshot
    return
      "seed \(seed): \(rounds) rounds, \(count) servers, \(outages.sorted { $0.key < $1.key }), "
      + "\(state.kept.count) memes kept, \(state.deleted.count) deleted, "
      + "\(state.kept.values.reduce(0) { $0 + $1.shares }) shares, "
      + "\(follower.memes.count) memes synced, "
      + "\(orphans) objects of failed requests, 0 deadlocks"
  }

  /// Checks everything that is stored, without servers.
  ///
  /// - Returns: the number of objects that no row named.
  private func checkObjects(_ address: String, _ settings: [String: String]) async throws -> Int {
    let (code, output) = try await ServerProcess.run(
      ["check"], environment: settings, executable: executable)
    if code != 0 { ledger.complain("mememe check ended with \(code): \(output.suffix(2000))") }
    guard let objects else { return 0 }
    let (complaints, orphans) = try await ObjectInventory.complaints(objects, address)
    complaints.forEach(ledger.complain)
    return orphans
  }

  private func signIn(at servers: ServerGroup) async throws -> String {
    let server = try #require(servers.all.first)
    let account =
      #"{"username":"\#(Self.username)","email":"ada@example.org","password":"a cat on a keyboard"}"#
    try await server.json("POST", "/users", account).expect(201)
    let secret = #"{"username":"\#(Self.username)","password":"a cat on a keyboard"}"#
    return try #require(try await server.json("POST", "/sessions", secret).json.token.text)
  }

  /// - Returns: what happened.
  private func round(
    _ round: Int, _ servers: ServerGroup, _ follower: inout ChangeFollower
  ) async throws -> [Outage] {
    var random = SeededRandom(seed, round)
    let outages = (0..<(random.chance(0.3) ? 2 : 1)).map { _ in
      Outage(&random, servers: count, hasObjects: objects != nil)
    }
    let pauses = outages.map { _ in Int.random(in: 100..<900, using: &random) }
    let session = follower.session
    let follows = follower
    let isOver = Flag()
    follower = await withTaskGroup { group in
      for number in 0..<Self.clients {
        var client = TortureClient(number, ledger, SeededRandom(seed, round, number))
        if number.isMultiple(of: 2) { client.session = session }
        // Without an answer to COMMIT, the response is 500. nginx returns 503 if it does not know the outcome.
        client.uncertain = [500, 503]
        group.addTask { [client] in
          var client = client
          await client.run(on: servers, until: { isOver.isSet })
          return nil as ChangeFollower?
        }
      }
      group.addTask {
        var follower = follows
        await follower.follow(servers, until: { isOver.isSet })
        return follower
      }
      group.addTask { [self] in
        for (outage, pause) in zip(outages, pauses) {
          do {
            try await Task.sleep(for: .milliseconds(pause))
            try await outage.happen(to: servers, database, objects)
          } catch { ledger.complain("round \(round), \(outage): \(error)") }
        }
        try? await Task.sleep(for: .milliseconds(500))
        isOver.set()
        return nil
      }
      var follower = follows
      for await result in group { if let result { follower = result } }
      return follower
    }
    try await check(servers, &follower, &random)
    return outages
  }

  /// Compares everything with the database, a second after the last write.
  private func check(
    _ servers: ServerGroup, _ follower: inout ChangeFollower, _ random: inout SeededRandom
  ) async throws {
    try await servers.settle()
    try await Task.sleep(for: .seconds(1))
    var agreement = Agreement(servers, adminToken: ServerGroup.adminToken)
    try await agreement.check(ledger.snapshot, &random)
    try await follower.catchUp(servers)
    agreement.check(follower, username: Self.username)
    agreement.complaints.forEach(ledger.complain)
    // The files are checked at the end.
    try await inspect(servers) { _ in false }
  }

  private func inspect(
    _ servers: ServerGroup, filesOf isDue: (Ledger.Kept) -> Bool
  ) async throws {
    let server = try #require(servers.all.randomElement())
    var inspection = try Inspection(ledger, server, adminToken: ServerGroup.adminToken)
    try await inspection.run(filesOf: isDue)
    inspection.complaints.forEach(ledger.complain)
  }

  /// Keeps the logs, and ends the servers.
  private func kept(_ servers: ServerGroup, _ place: String) throws -> String {
    for (number, server) in servers.all.enumerated() {
      server.send(signal: SIGKILL)
      try Data(server.log.utf8).write(to: folder.appending(path: "\(number).log"))
    }
    try Data(database.log.utf8).write(to: folder.appending(path: "postgresql.log"))
    return "seed \(seed), \(place): logs are in \(folder.path)"
  }
}

/// Set once, by one task for all others.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}

extension String {
  fileprivate func count(of text: String) -> Int { components(separatedBy: text).count - 1 }
}
