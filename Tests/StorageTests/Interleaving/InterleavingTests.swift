import Foundation
import Memes
import PostgreSQL
import SQL
import Support
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
    Pair(.edit("x"), .edit("y")),
    Pair(.edit("x"), .delete),
    Pair(.edit("x"), .erase),
    Pair(.edit("x"), .editAsAdmin),
    Pair(.delete, .erase),
    Pair(.delete, .delete),
    Pair(.erase, .erase),
    Pair(.restore, .restore),
    Pair(.restore, .purge),
    Pair(.restore, .bulkDelete),
    Pair(.purge, .purge),
    Pair(.bulkDelete, .bulkDelete),
    Pair(.bulkDelete, .edit("x")),
    Pair(.bulkDelete, .delete),
    Pair(.derive, .derive),
    Pair(.derive, .edit("x")),
    Pair(.derive, .delete),
    Pair(.derive, .erase),
    Pair(.make("p"), .make("q")),
    Pair(.make("p"), .leaveAda),
    Pair(.upload("one"), .upload("two")),
    Pair(.upload("one"), .edit("x")),
    Pair(.claim(byBob: false), .claim(byBob: true)),
    Pair(.claim(byBob: true), .leave),
    Pair(.claim(byBob: false), .upload("one")),
    Pair(.delete, .restoreNew),
    Pair(.upload("one"), .fold),
    Pair(.fold, .erase),
    Pair(.derive, .trim),
    Pair(.trim, .leaveAda),
    // Identities.
    Pair(.signOn("one"), .signOn("one")),
    Pair(.signOn("one"), .signOn("two")),
    Pair(.signOn("one"), .link("one", toBob: true)),
    Pair(.link("one", toBob: true), .link("one", toBob: false)),
    Pair(.link("one", toBob: true), .link("two", toBob: true)),
    Pair(.link("one", toBob: true), .leave),
    Pair(.link("one", toBob: true), .suspend),
    // Reactions.
    Pair(.like, .delete),
    Pair(.like, .erase),
    Pair(.like, .like),
    Pair(.like, .unlike),
    Pair(.like, .comment),
    Pair(.like, .edit("x")),
    Pair(.like, .leave),
    Pair(.like, .withdraw),
    Pair(.like, .block(true)),
    Pair(.like, .markRead),
    Pair(.like, .quiet),
    Pair(.like, .bulkDelete),
    Pair(.favorite, .favorite),
    Pair(.favorite, .leave),
    Pair(.comment, .leave),
    Pair(.comment, .erase),
    Pair(.comment, .delete),
    Pair(.comment, .withdraw),
    Pair(.commentOnce, .commentOnce),
    Pair(.editComment, .editComment2),
    Pair(.editComment, .deleteComment),
    Pair(.editComment, .erase),
    Pair(.deleteComment, .deleteComment),
    Pair(.deleteComment, .leave),
    Pair(.share, .share),
    Pair(.share, .erase),
    Pair(.share, .edit("x")),
    Pair(.markRead, .markRead),
    Pair(.withdraw, .withdraw),
    Pair(.withdraw, .leave),
    Pair(.like, .purgeNotifications),
    // People.
    Pair(.follow(false), .follow(true)),
    Pair(.follow(false), .block(true)),
    Pair(.block(false), .block(true)),
    Pair(.follow(false), .follow(false)),
    Pair(.follow(false), .leave),
    Pair(.follow(false), .unfollow),
    Pair(.block(false), .unblock),
    Pair(.block(false), .leave),
    Pair(.theme(.light), .theme(.dark)),
    Pair(.theme(.light), .leaveAda),
    Pair(.rename("x y"), .rename("z")),
    Pair(.rename("x y"), .leaveAda),
    Pair(.moveMail(ofBob: false), .moveMail(ofBob: true)),
    Pair(.changeUsername(ofBob: false), .changeUsername(ofBob: true)),
    Pair(.changeUsername(ofBob: false), .changeUsername(ofBob: false)),
    Pair(.changeUsername(ofBob: false), .register("one")),
    Pair(.changeUsername(ofBob: false), .register("former name", asAda: true)),
    Pair(.changeUsername(ofBob: false), .edit("x")),
    Pair(.changeUsername(ofBob: false), .leaveAda),
    Pair(.register("one"), .register("two")),
    Pair(.join("one"), .join("two")),
    Pair(.join("one"), .suspend),
    Pair(.join("one"), .leave),
    Pair(.invite, .invite),
    Pair(.invite, .suspend),
    Pair(.invite, .leave),
    Pair(.makeToken(ofBob: true), .makeToken(ofBob: true)),
    Pair(.makeToken(ofBob: true), .suspend),
    Pair(.makeToken(ofBob: true), .leave),
    Pair(.makeToken(ofBob: true), .signOut),
    Pair(.makeToken(ofBob: true), .changePassword("p")),
    Pair(.makeToken(ofBob: false), .reset("p")),
    Pair(.beginFactor, .beginFactor),
    Pair(.beginFactor, .suspend),
    Pair(.beginFactor, .leave),
    Pair(.beginFactor, .signOut),
    Pair(.beginFactor, .changePassword("p")),
    Pair(.reset("p"), .reset("q")),
    Pair(.reset("p"), .askForReset("one")),
    Pair(.askForReset("one"), .askForReset("two")),
    Pair(.changePassword("p"), .changePassword("q")),
    Pair(.changePassword("p"), .signIn),
    Pair(.changePassword("p"), .leave),
    Pair(.signIn, .signIn),
    Pair(.signIn, .signOut),
    Pair(.signIn, .leave),
    Pair(.signOut, .changePassword("p")),
    Pair(.avatar(1), .avatar(2)),
    Pair(.avatar(1), .leave),
    Pair(.suspend, .suspend),
    Pair(.suspend, .unsuspend),
    Pair(.suspend, .give(.admin)),
    Pair(.give(.admin), .give(.member)),
    Pair(.suspend, .leave),
    Pair(.leave, .leave),
    Pair(.withdrawReset, .reset("p")),
    // Admins who act on each other.
    Pair(.demote(byChief: false), .demote(byChief: true)),
    Pair(.demote(byChief: false), .suspendAdmin(byChief: true)),
    Pair(.demote(byChief: false), .deleteAdmin(byChief: true)),
    Pair(.suspendAdmin(byChief: false), .suspendAdmin(byChief: true)),
    Pair(.suspendAdmin(byChief: false), .deleteAdmin(byChief: true)),
    Pair(.deleteAdmin(byChief: false), .deleteAdmin(byChief: true)),
    // Connections.
    Pair(.connect, .connect),
    Pair(.connect, .suspend),
    Pair(.connect, .leave),
    Pair(.addMapping, .addMapping),
    Pair(.addMapping, .importMappings),
    Pair(.addMapping, .leave),
    Pair(.replaceMapping, .deleteMapping),
    Pair(.replaceMapping, .edit("x")),
    Pair(.deleteMapping, .edit("x")),
    Pair(.deleteMapping, .like),
    Pair(.deleteMapping, .deliver),
    Pair(.deleteMapping, .reload),
    Pair(.disconnect, .edit("x")),
    Pair(.disconnect, .comment),
    Pair(.disconnect, .deliver),
    Pair(.disconnect, .disconnect),
    Pair(.disconnect, .leaveAda),
    Pair(.deliver, .deliver),
    Pair(.deliver, .edit("x")),
    Pair(.deliver, .pause),
    Pair(.deliver, .restart),
    Pair(.deliver, .leaveAda),
    Pair(.stop, .pause),
    Pair(.stop, .restart),
    Pair(.stop, .edit("x")),
    Pair(.reload, .reload),
    Pair(.purgeEvents, .purgeEvents),
    Pair(.purgeEvents, .deleteMapping),
    Pair(.purgeEvents, .leaveAda),
    Pair(.unlike, .delete),
    Pair(.unlike, .erase),
    Pair(.unlike, .block(true)),
    Pair(.like, .unblock),
    // Files and reports.
    Pair(.begin("one"), .begin("two")),
    Pair(.append("a"), .append("b")),
    Pair(.append("a"), .finish),
    Pair(.append("a"), .removeUpload),
    Pair(.append("a"), .purgeUploads),
    Pair(.finish, .finish),
    Pair(.finish, .removeUpload),
    Pair(.removeUpload, .removeUpload),
    Pair(.removeWhole, .removeWhole),
    Pair(.removeWhole, .purgeUploads),
    Pair(.removeWhole, .leaveAda),
    Pair(.purgeUploads, .purgeUploads),
    Pair(.purgeUploads, .leaveAda),
    Pair(.makeOfUpload, .removeWhole),
    Pair(.makeOfUpload, .leaveAda),
    Pair(.addTemplate("one"), .addTemplate("two")),
    Pair(.addTemplate("one"), .deleteTemplate),
    Pair(.deleteTemplate, .deleteTemplate),
    Pair(.addTemplateWithAlias("one"), .addTemplateWithAlias("two")),
    Pair(.addTemplateWithAlias("one"), .editTemplate("x", alias: true)),
    Pair(.editTemplate("x", alias: true), .editTemplate("y")),
    Pair(.editTemplate("x", alias: true), .deleteTemplate),
    Pair(.editTemplate("x", alias: true), .leaveAda),
    Pair(.editTemplate("x"), .makeOfTemplate), Pair(.makeOfTemplate, .makeOfTemplate),
    Pair(.deleteTemplate, .leaveAda),
    Pair(.makeOfTemplate, .deleteTemplate),
    Pair(.makeOfTemplate, .leaveAda),
    Pair(.deleteAnonymousTemplate, .deleteAnonymousTemplate),
    Pair(.report("p"), .report("q")),
    Pair(.report("p", isAnonymous: true), .report("q", isAnonymous: true)),
    Pair(.decide(.resolved), .decide(.dismissed)),
    Pair(.decide(.resolved), .leave),
    Pair(.purgeReactions, .purgeReactions),
    Pair(.purgeBlobs, .purgeBlobs),
    Pair(.prune, .prune),
    Pair(.prune, .leaveAda),
  ]

  /// All of them take minutes: `TEST_LONG` is set by `script/test --long`,
  /// which adds a random sample of the other pairs.
  private static let tested: [Pair] = {
    let environment = ProcessInfo.processInfo.environment
    // Both names, as a failure prints them.
    if let wanted = environment["TEST_PAIR"] {
      return (pairs + otherPairs(0)).filter { $0.testDescription == wanted }
    }
    guard environment["TEST_LONG"] != nil else {
      return pairs.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
    }
    let seed = environment["TORTURE_SEED"].flatMap { UInt64($0) } ?? 1
    let count = environment["TORTURE_PAIRS"].flatMap { Int($0) } ?? 100
    return pairs + otherPairs(seed).prefix(count)
  }()

  /// All pairs of the same writes that the list does not have, in random order.
  private static func otherPairs(_ seed: UInt64) -> [Pair] {
    var writes: [InterleavedWrite] = []
    for write in pairs.flatMap({ [$0.one, $0.other] })
    where !writes.contains(where: { $0.name == write.name }) { writes.append(write) }
    let listed = Set(
      pairs.flatMap { [[$0.one.name, $0.other.name], [$0.other.name, $0.one.name]] })
    let all = writes.indices.flatMap { place in
      writes[place...].map { Pair(writes[place], $0) }
    }
    var random = SeededRandom(seed)
    return all.filter { !listed.contains([$0.one.name, $0.other.name]) }.shuffled(using: &random)
  }

  @Test(.enabled(if: Engine.tested.contains(.postgreSQL)), arguments: tested)
  func `two writes at once end like one after the other`(_ pair: Pair) async throws {
    try await withStore(on: [.postgreSQL]) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      for name in ["liker1", "liker2", "liker3"] { _ = try await store.person(name) }
      var number = 0
      func nextScene() async throws -> InterleavedScene {
        number += 1
        return try await InterleavedScene(number, in: store)
      }
      for (one, other) in [(pair.one, pair.other), (pair.other, pair.one)] {
        var allowed: Set<String> = []
        for isReversed in [false, true] {
          let scene = try await nextScene()
          var results = [String]()
          for write in isReversed ? [other, one] : [one, other] {
            results.append(await write.result(database, scene))
          }
          if isReversed { results.reverse() }
          allowed.insert(Self.text(results, try scene.state(in: store)))
        }
        var stop = 0
        while true {
          let scene = try await nextScene()
          let stepped = SteppedDatabase(database, after: stop)
          let gate = stepped.writer.gate
          async let first = Self.running(one, stepped, gate, scene)
          try await blocking { gate.waitForStop() }
          let second = Running(other, database, scene)
          if gate.hasStopped { try await second.endOrWait(in: store) }
          gate.letGoOn()
          let outcome = Self.text([await first, await second.result], try scene.state(in: store))
          if !allowed.contains(outcome) {
            allowed.formUnion(try await outcomes(of: one, other, database, store, nextScene))
          }
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

  /// The outcomes in which one of the writes gives up. On a slow machine, the second one can wait too long for a lock.
  private func outcomes(
    of one: InterleavedWrite, _ other: InterleavedWrite, _ database: PostgreSQLDatabase,
    _ store: Scratch, _ makeScene: () async throws -> InterleavedScene
  ) async throws -> [String] {
    let busy = "\(MemeError.storageBusy)"
    var outcomes: [String] = []
    for (write, isFirst) in [(one, true), (other, false)] {
      let scene = try await makeScene()
      let result = await write.result(database, scene)
      outcomes.append(
        Self.text(isFirst ? [result, busy] : [busy, result], try scene.state(in: store)))
    }
    return outcomes
  }

  private func expectOrder(in store: Scratch, _ database: PostgreSQLDatabase) throws {
    let deadlocks = try store.database.integer(
      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    #expect(deadlocks == 0)
    let archive = MemeArchive(database, Blobs())
    #expect(archive.wrongNumbers() == [] && archive.structuralDamage() == [])
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
