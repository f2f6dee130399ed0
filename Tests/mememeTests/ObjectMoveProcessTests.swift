import Foundation
import Support
import Synchronization
import Testing
import Wire

/// `mememe move` with an object store: `rclone serve s3`, behind a proxy that can be down.
@Suite(.enabled(if: RcloneServer.isWanted))
struct ObjectMoveProcessTests {
  @Test func `there and back through a bucket gives the same export`() async throws {
    let store = try RcloneServer.shared()
    let (bucket, proxy) = (try store.makeBucket(), try FaultProxy(to: store.port))
    defer { proxy.stop() }
    try await withFolder { folder in
      try await withSharedDatabase { database in
        try await EarlierVersion.latest.make(in: folder.url, more: 20)
        try FileManager.default.copyItem(
          at: database.folder.appending(path: "key"), to: folder.url.appending(path: "secret-key"))
        let account = database.folder.appending(path: "account")
        try Data("tester\na/secret+of=tests\n".utf8).write(to: account)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: account.path)
        let address = store.address(of: bucket.name, port: proxy.port)
        func move(to database: String) async throws -> (code: Int32, output: String) {
          try await ServerProcess.run(
            ["move", "--to", database, "--objects", address, "--data", folder.url.path],
            environment: ["MEMEME_OBJECTS_KEY_FILE": account.path])
        }
        // The first answers of the store do not arrive.
        proxy.chooseOnce(.drop, times: 2)
        let there = try await move(to: try #require(database.settings["MEMEME_DATABASE"]))
        #expect(there.code == 0, "\(there)")
        let objects = try FileManager.default.subpathsOfDirectory(atPath: bucket.folder.path)
        #expect(objects.count { $0.contains("/20") } > 90)

        let settings = database.settings.merging([
          "MEMEME_OBJECTS": address, "MEMEME_OBJECTS_KEY_FILE": account.path,
        ]) { $1 }
        func run(_ arguments: String...) async throws -> (code: Int32, output: String) {
          try await ServerProcess.run(
            arguments + ["--data", database.folder.appending(path: "scratch").path],
            environment: settings)
        }
        let checked = try await run("check", "--decode")
        #expect(checked.code == 0, "\(checked)")
        let server = try await ServerProcess(
          data: database.folder.appending(path: "a"), settings: settings)
        let list = try await server.get("/memes").expect(200).json.items.elements
        let image = try #require(list.first?.image.url.text)
        try await server.get(image).expect(200)
        #expect(try await server.end(by: SIGTERM) == 0)

        let back = database.folder.appending(path: "back")
        let copied = try await run("move", "--to-folder", back.path)
        #expect(copied.code == 0, "\(copied)")
        let single = CheckedFolder(url: back)
        #expect(try await single.check().code == 0)

        // Another database must not get this bucket.
        let other = try PostgreSQLServer.shared().makeDatabase()
        let refused = try await move(to: PostgreSQLServer.shared().address(of: other))
        #expect(refused.code == 1 && refused.output.contains("is the bucket of another database"))
        try PostgreSQLServer.shared().drop(other)
      }
    }
  }
}

extension FaultProxy {
  /// Does this to the next requests, and nothing to the later ones.
  fileprivate func chooseOnce(_ fault: Fault, times: Int) {
    let left = Remaining(times)
    choose { _ in left.next() ? fault : .none }
  }
}

private final class Remaining: Sendable {
  private let count: Mutex<Int>

  init(_ count: Int) { self.count = Mutex(count) }

  func next() -> Bool {
    count.withLock { count in
      count -= 1
      return count >= 0
    }
  }
}
