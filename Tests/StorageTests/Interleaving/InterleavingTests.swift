import Foundation
import Memes
import PostgreSQL
import SQL
import Testing

@testable import Storage

/// Two writes at the same time on PostgreSQL end like one of them after the other, wherever the first one is
/// interrupted. Each write that depends on what others may change is in a pair with itself and with its rivals.
@Suite struct InterleavingTests {
  typealias Pair = (InterleavedWrite, InterleavedWrite)

  @Test func `memes: two writes at once end like one after the other`() async throws {
    try await run([
      (.edit("x"), .edit("y")), (.edit("x"), .delete), (.edit("x"), .erase),
      (.edit("x"), .editAsAdmin),
      (.delete, .erase), (.delete, .delete), (.erase, .erase), (.restore, .restore),
      (.restore, .purge), (.restore, .bulkDelete), (.purge, .purge), (.bulkDelete, .bulkDelete),
      (.bulkDelete, .edit("x")), (.bulkDelete, .delete), (.derive, .derive), (.derive, .edit("x")),
      (.derive, .delete), (.derive, .erase), (.make("p"), .make("q")), (.make("p"), .leaveAda),
      (.upload("one"), .upload("two")), (.upload("one"), .edit("x")),
      (.claim(byBob: false), .claim(byBob: true)), (.claim(byBob: true), .leave),
      (.claim(byBob: false), .upload("one")),
    ])
  }

  @Test func `reactions: two writes at once end like one after the other`() async throws {
    try await run([
      (.like, .delete), (.like, .erase), (.like, .like), (.like, .unlike), (.like, .comment),
      (.like, .edit("x")), (.like, .leave), (.like, .withdraw), (.like, .block(true)),
      (.like, .markRead), (.like, .quiet), (.like, .bulkDelete), (.favorite, .favorite),
      (.favorite, .leave), (.comment, .leave), (.comment, .erase), (.comment, .delete),
      (.comment, .withdraw), (.commentOnce, .commentOnce), (.editComment, .editComment2),
      (.editComment, .deleteComment), (.editComment, .erase), (.deleteComment, .deleteComment),
      (.deleteComment, .leave), (.share, .share), (.share, .erase), (.share, .edit("x")),
      (.markRead, .markRead), (.withdraw, .withdraw), (.withdraw, .leave),
    ])
  }

  @Test func `people: two writes at once end like one after the other`() async throws {
    try await run([
      (.follow(false), .follow(true)), (.follow(false), .block(true)),
      (.block(false), .block(true)),
      (.follow(false), .follow(false)), (.follow(false), .leave), (.follow(false), .unfollow),
      (.block(false), .unblock), (.block(false), .leave), (.theme(.light), .theme(.dark)),
      (.theme(.light), .leaveAda), (.rename("x y"), .rename("z")), (.rename("x y"), .leaveAda),
      (.moveMail(ofBob: false), .moveMail(ofBob: true)), (.register("one"), .register("two")),
      (.reset("p"), .reset("q")), (.reset("p"), .askForReset("one")),
      (.askForReset("one"), .askForReset("two")), (.changePassword("p"), .changePassword("q")),
      (.changePassword("p"), .signIn), (.changePassword("p"), .leave), (.signIn, .signIn),
      (.signIn, .signOut), (.signIn, .leave), (.signOut, .changePassword("p")),
      (.avatar(1), .avatar(2)), (.avatar(1), .leave), (.suspend, .suspend), (.suspend, .unsuspend),
      (.suspend, .give(.admin)), (.give(.admin), .give(.member)), (.suspend, .leave),
      (.leave, .leave),
    ])
  }

  @Test func `files and reports: two writes at once end like one after the other`() async throws {
    try await run([
      (.begin("one"), .begin("two")), (.append("a"), .append("b")), (.append("a"), .finish),
      (.append("a"), .removeUpload), (.append("a"), .purgeUploads), (.finish, .finish),
      (.finish, .removeUpload), (.removeUpload, .removeUpload), (.removeWhole, .removeWhole),
      (.removeWhole, .purgeUploads), (.removeWhole, .leaveAda), (.purgeUploads, .purgeUploads),
      (.purgeUploads, .leaveAda), (.makeOfUpload, .removeWhole), (.makeOfUpload, .leaveAda),
      (.addTemplate("one"), .addTemplate("two")), (.addTemplate("one"), .deleteTemplate),
      (.deleteTemplate, .deleteTemplate), (.deleteTemplate, .leaveAda),
      (.makeOfTemplate, .deleteTemplate), (.makeOfTemplate, .leaveAda),
      (.deleteAnonymousTemplate, .deleteAnonymousTemplate), (.report("p"), .report("q")),
      (.report("p", isAnonymous: true), .report("q", isAnonymous: true)),
      (.decide(.resolved), .decide(.dismissed)), (.decide(.resolved), .leave),
      (.purgeReactions, .purgeReactions), (.purgeBlobs, .purgeBlobs), (.prune, .prune),
      (.prune, .leaveAda),
    ])
  }

  private func run(_ pairs: [Pair]) async throws {
    try await withStore(on: Engine.tested.intersection([.postgreSQL])) { store in
      let database = try #require(store.database as? PostgreSQLDatabase)
      for name in ["liker1", "liker2", "liker3"] { _ = try await store.person(name) }
      var number = 0
      func scene() async throws -> InterleavedScene {
        number += 1
        return try await InterleavedScene(number, in: store)
      }
      for (one, other) in pairs + pairs.map({ ($1, $0) }) {
        var allowed: Set<String> = []
        for isReversed in [false, true] {
          let scene = try await scene()
          var results = [String]()
          for write in isReversed ? [other, one] : [one, other] {
            results.append(await write.result(database, scene))
          }
          if isReversed { results.reverse() }
          allowed.insert(Self.text(results, try scene.state(in: store)))
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
          async let second = other.result(database, scene)
          try await Task.sleep(for: .milliseconds(gate.hasStopped ? 40 : 0))
          gate.letGoOn()
          let outcome = Self.text([await first, await second], try scene.state(in: store))
          #expect(
            allowed.contains(outcome),
            "\(one.name), stopped after \(stop) statements, and \(other.name): \(outcome); \(allowed)"
          )
          guard gate.hasStopped else { break }
          stop += 1
        }
        let deadlocks = try store.database.integer(
          "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        #expect(deadlocks == 0, "\(one.name) and \(other.name), or the pairs before")
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
