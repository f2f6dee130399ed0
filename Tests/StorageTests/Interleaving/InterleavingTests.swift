import Foundation
import Memes
import PostgreSQL
import SQL
import Synchronization
import Testing

@testable import Storage

/// Two writes at the same time on PostgreSQL end like one of them after the other, wherever the first one is
/// interrupted.
@Suite struct InterleavingTests {
  struct Pair: Sendable, CustomTestStringConvertible {
    let (one, other): (InterleavedWrite, InterleavedWrite)

    init(_ one: InterleavedWrite, _ other: InterleavedWrite) {
      (self.one, self.other) = (one, other)
    }

    var testDescription: String { "\(one.name), \(other.name)" }
  }

  private static let pairs: [Pair] = [
    // Memes.
    Pair(.edit("x"), .edit("y")), Pair(.edit("x"), .delete), Pair(.edit("x"), .erase),
    Pair(.delete, .erase), Pair(.delete, .restoreNew), Pair(.restore, .purge),
    Pair(.restore, .restore), Pair(.purge, .purge), Pair(.prune, .erase), Pair(.prune, .purge),
    Pair(.claim(byBob: false), .claim(byBob: true)), Pair(.keyed, .keyed),
    Pair(.upload("one"), .upload("two")), Pair(.upload("one"), .fold), Pair(.fold, .erase),
    Pair(.bulk, .bulk), Pair(.bulk, .edit("x")), Pair(.bulk, .like), Pair(.bulk, .comment),
    Pair(.bulk, .erase), Pair(.bulk, .upload("one")), Pair(.derive(1), .derive(1)),
    Pair(.derive(1), .derive(2)), Pair(.derive(1), .edit("x")), Pair(.derive(1), .erase),
    Pair(.derive(1), .trim), Pair(.share, .share), Pair(.share, .erase),
    Pair(.fillWords, .edit("x")), Pair(.fillWords, .erase), Pair(.fillWords, .fillWords),
    Pair(.fillWords, .rename(byBob: true)),
    // Reactions, comments, notifications and reports.
    Pair(.like, .delete), Pair(.like, .erase), Pair(.like, .like), Pair(.like, .unlike),
    Pair(.like, .comment), Pair(.like, .edit("x")), Pair(.like, .leave), Pair(.like, .readAll),
    Pair(.unlike, .readAll), Pair(.like, .purgeNotifications), Pair(.favor, .favor),
    Pair(.favor, .unfavor), Pair(.favor, .erase), Pair(.withdraw, .like),
    Pair(.withdraw, .comment), Pair(.withdraw, .leave), Pair(.comment, .leave),
    Pair(.comment, .erase), Pair(.comment, .delete), Pair(.editComment, .deleteComment),
    Pair(.editComment, .erase), Pair(.deleteComment, .deleteComment),
    Pair(.reportMeme, .reportMeme), Pair(.reportMeme, .decide(.resolved)),
    Pair(.decide(.resolved), .decide(.dismissed)),
    // People.
    Pair(.follow(false), .follow(true)), Pair(.follow(false), .block(true)),
    Pair(.block(false), .block(true)), Pair(.follow(false), .follow(false)),
    Pair(.follow(false), .leave), Pair(.follow(false), .unfollow), Pair(.block(false), .unblock),
    Pair(.theme(.light), .theme(.dark)), Pair(.register("a", "x"), .register("a", "y")),
    Pair(.register("a", "x"), .register("b", "x")), Pair(.move(byBob: false), .move(byBob: true)),
    Pair(.rename(byBob: false), .rename(byBob: false)), Pair(.rename(byBob: true), .leave),
    Pair(.avatar("a"), .avatar("bb")), Pair(.avatar("a"), .avatar(nil)),
    Pair(.avatar("a"), .leave), Pair(.suspend, .suspend), Pair(.suspend, .unsuspend),
    Pair(.suspend, .give(.admin)), Pair(.give(.admin), .give(.admin)),
    // Passwords and sessions.
    Pair(.reset("p"), .reset("q")), Pair(.password("p"), .password("q")),
    Pair(.password("p"), .reset("q")), Pair(.signIn, .password("p")), Pair(.signIn, .reset("p")),
    Pair(.signIn, .signOutAll), Pair(.use(4_000_000), .use(5_000_000)),
    Pair(.use(4_000_000), .signOut),
    Pair(.signOut, .signOutAll), Pair(.ask("one"), .ask("two")), Pair(.ask("one"), .reset("p")),
    Pair(.ask("one"), .move(byBob: false)), Pair(.withdrawReset, .reset("p")),
    // Templates and uploads.
    Pair(.template("one"), .template("two")), Pair(.deleteTemplate, .deleteTemplate),
    Pair(.deleteTemplate, .deleteTemplates), Pair(.begin("one"), .begin("two")),
    Pair(.append("a"), .append("b")), Pair(.append("a"), .removeUpload),
    Pair(.append("a"), .finish), Pair(.append("a"), .purgeUploads(batches: 1)),
    Pair(.finish, .finish),
    Pair(.finish, .removeUpload), Pair(.finish, .purgeUploads(batches: 1)),
    Pair(.removeWhole, .removeWhole), Pair(.removeWhole, .purgeUploads(batches: 2)),
    Pair(.store("one"), .store("two")), Pair(.store("one"), .upload("one")),
    Pair(.purgeDiscarded, .purgeDiscarded), Pair(.purgeDiscarded, .erase),
  ]

  /// All of them take minutes: `TEST_LONG` is set by `script/test --long`.
  private static let tested = pairs.enumerated()
    .filter { ProcessInfo.processInfo.environment["TEST_LONG"] != nil || $0.offset % 4 == 0 }
    .map(\.element)

  @Test(.enabled(if: Engine.tested.contains(.postgreSQL)), arguments: tested)
  func `two writes at once end like one after the other`(_ pair: Pair) async throws {
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      var number = 0
      func scene() async throws -> InterleavedScene {
        number += 1
        return try await InterleavedScene(number, store)
      }
      for (one, other) in [(pair.one, pair.other), (pair.other, pair.one)] {
        var allowed: Set<String> = []
        for isReversed in [false, true] {
          let scene = try await scene()
          var results = [String]()
          for write in isReversed ? [other, one] : [one, other] {
            results.append(await write.result(database, scene))
          }
          if isReversed { results.reverse() }
          allowed.insert(Self.text(results, try scene.state(store)))
        }
        var stop = 0
        while true {
          let scene = try await scene()
          let stepped = SteppedDatabase(database, after: stop)
          let gate = stepped.writer.gate
          async let first = Self.running(one, stepped, gate, scene)
          await withCheckedContinuation { caller in
            DispatchQueue.global().async {
              gate.waitForStop()
              caller.resume()
            }
          }
          let second = Running(other, database, scene)
          if gate.hasStopped { try await second.endOrWait(in: store) }
          gate.letGoOn()
          let outcome = Self.text([await first, await second.result], try scene.state(store))
          #expect(
            allowed.contains(outcome),
            "\(one.name), stopped after \(stop) statements, and \(other.name): \(outcome); \(allowed)"
          )
          guard gate.hasStopped else { break }
          stop += 1
        }
      }
      try expectOrder(in: store, database)
    }
  }

  private func expectOrder(in store: Scratch, _ database: PostgreSQLDatabase) throws {
    let deadlocks = try store.database.integer(
      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    #expect(deadlocks == 0)
    let archive = MemeArchive(database)
    #expect(archive.wrongNumbers() == [] && archive.structuralDamage() == [])
    let blobs = try archive.blobs(after: 0, upTo: .max, limit: 100_000)
    #expect(blobs.compactMap(\.finding) == [])
  }

  /// A write in a task of its own.
  private final class Running: Sendable {
    private let task: Task<String, Never>
    private let ended: Ended

    private final class Ended: Sendable { let value = Mutex(false) }

    init(_ write: InterleavedWrite, _ database: any Database, _ scene: InterleavedScene) {
      let ended = Ended()
      self.ended = ended
      task = Task {
        defer { ended.value.withLock { $0 = true } }
        return await write.result(database, scene)
      }
    }

    var result: String { get async { await task.value } }

    /// Returns when the write has ended, or waits for a lock of the other one.
    func endOrWait(in store: Scratch) async throws {
      while !ended.value.withLock(\.self) {
        let waiting = try store.database.integer(
          """
          SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'
          """)
        if waiting ?? 0 > 0 { return }
        try await Task.sleep(for: .milliseconds(2))
      }
    }
  }

  private static func running(
    _ write: InterleavedWrite, _ database: SteppedDatabase, _ gate: StepGate,
    _ scene: InterleavedScene
  ) async -> String {
    defer { gate.end() }
    return await write.result(database, scene)
  }

  private static func text(_ results: [String], _ state: String) -> String {
    "\(results.joined(separator: ", ")): \(state)"
  }
}
