import Foundation
import Support
import Testing
import Wire

/// `mememe move`, from a data folder to PostgreSQL and back.
struct MoveTests {
  /// A data folder without a server, and an empty database.
  private struct Scene {
    let folder: CheckedFolder
    let database: SharedDatabase

    var address: String { database.settings["MEMEME_DATABASE"] ?? "" }

    func url(_ name: String) -> URL { database.folder.appending(path: name) }

    /// Gives the data folder the key of the database's servers.
    func placeKey() throws {
      try FileManager.default.copyItem(
        at: database.folder.appending(path: "key"), to: folder.url.appending(path: "secret-key"))
    }

    func moveToServer() async throws -> (code: Int32, output: String) {
      try await ServerProcess.run(["move", "--to", address, "--data", folder.url.path])
    }

    func moveToFolder(_ name: String) async throws -> (code: Int32, output: String) {
      try await ServerProcess.run(
        ["move", "--to-folder", url(name).path, "--data", url("scratch").path],
        environment: database.settings)
    }

    /// Exports all memes, and returns the files.
    func export(from data: URL, _ settings: [String: String] = [:]) async throws -> [String: Data] {
      let target = database.folder.appending(path: "export-\(UUID())")
      let (code, output) = try await ServerProcess.run(
        ["export", target.path, "--data", data.path], environment: settings)
      #expect(code == 0, "\(output)")
      var files: [String: Data] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: target.path) {
        files[name] = FileManager.default.contents(atPath: target.appending(path: name).path)
      }
      return files
    }
  }

  private func withScene(_ body: (Scene) async throws -> Void) async throws {
    try await withFolder { folder in
      try await withSharedDatabase { database in
        try await body(Scene(folder: folder, database: database))
      }
    }
  }

  @Test(arguments: [13, 22, 26].map { EarlierVersion($0) } + [.latest])
  func `there and back gives the same rows, numbers and exports`(version: EarlierVersion)
    async throws
  {
    try await withScene { scene in
      // More memes than a batch of rows.
      try await version.make(in: scene.folder.url, more: version.number == 26 ? 600 : 3)
      try scene.placeKey()
      #expect(
        try await ServerProcess.run(["migrate", "--data", scene.folder.url.path]).code == 0)
      // The numbers of deleted rows are never used again.
      try scene.folder.execute("UPDATE sqlite_sequence SET seq = seq + 7")
      let before = try await EarlierVersion.latest.contents(of: scene.folder.url)
      let exported = try await scene.export(from: scene.folder.url)
      #expect(exported.count > 3)

      let there = try await scene.moveToServer()
      #expect(there.code == 0 && there.output.contains("all verified"), "\(there.output)")
      let checked = try await scene.database.command("check", "--decode")
      #expect(checked.code == 0, "\(checked.lines)")
      // It is not copied.
      let moved = try scene.database.run("SELECT popularity - created_at FROM memes ORDER BY seq")
      let generated = try await texts(
        in: scene.folder.url, columns: 1,
        "SELECT CAST(popularity - created_at AS TEXT) FROM memes ORDER BY seq")
      #expect(moved.split(separator: "\n").map(String.init) == generated.map { $0[0] })
      #expect(
        try await scene.export(from: scene.url("scratch"), scene.database.settings) == exported)

      let back = try await scene.moveToFolder("back")
      #expect(back.code == 0, "\(back.output)")
      let copy = CheckedFolder(url: scene.url("back"))
      let (code, lines) = try await copy.check()
      #expect(code == 0, "\(lines)")
      #expect(try await scene.export(from: copy.url) == exported)
      try await expectEqual(copy.url, before, scene.folder.url)
    }
  }

  private func expectEqual(_ copy: URL, _ before: EarlierContents, _ original: URL) async throws {
    let after = try await EarlierVersion.latest.contents(of: copy)
    #expect(Set(after.rows.keys) == Set(before.rows.keys))
    // The search words of these rows are not those of their captions.
    let others: Set = ["blobs", "discarded_blobs", "epochs", "meme_words"]
    for (table, rows) in before.rows where !others.contains(table) {
      #expect(after.rows[table]?.sorted() == rows.sorted(), "\(table)")
    }
    #expect(after.rows["discarded_blobs"] == [])
    let blobs =
      "SELECT quote(id) || quote(bytes) FROM blobs WHERE id NOT IN (SELECT blob FROM discarded_blobs) ORDER BY id"
    #expect(try await texts(in: copy, columns: 1, blobs) == texts(in: original, columns: 1, blobs))
    let numbers = "SELECT name, CAST(seq AS TEXT) FROM sqlite_sequence WHERE seq > 0 ORDER BY name"
    let found = try await texts(in: copy, columns: 2, numbers)
    #expect(found.count >= 5)
    #expect(found == (try await texts(in: original, columns: 2, numbers)))
    // Clients start a full sync.
    let epoch = "SELECT hex(epoch) FROM epochs"
    #expect(try await texts(in: copy, columns: 1, epoch) != texts(in: original, columns: 1, epoch))
    let floor = "SELECT version_floor FROM epochs"
    #expect(try #require(try await number(in: copy, floor)) > 1_700_000_000)
  }

  @Test func `sessions and delete tokens stay valid, and sync begins again`() async throws {
    try await withScene { scene in
      var (url, own, token, cursor) = ("", "", "", "")
      let server = try await ServerProcess(data: scene.folder.url)
      let made = try await server.post(
        FormBody([.file("image", try Fixture.photo.bytes), .field("top", "moving day")])
      ).expect(201)
      url = try #require(made["location"])
      own = try #require(made.json.deleteToken.text)
      let password = "a long enough one"
      try await server.json(
        "POST", "/users", #"{"username":"ada","email":"ada@example.org","password":"\#(password)"}"#
      ).expect(201)
      let session = try await server.json(
        "POST", "/sessions", #"{"username":"ada","password":"\#(password)"}"#
      ).expect(201)
      token = try #require(session.json.token.text)
      cursor = try #require(
        try await server.get("/memes/changes", token: token).expect(200).json.cursor.text)
      #expect(try await server.end(by: SIGTERM) == 0)
      let moved = try await scene.moveToServer()
      #expect(moved.code == 0, "\(moved.output)")

      // The key of the folder is not that of the database's settings.
      let refused = try await ServerProcess.run(
        ["serve", "--port", "0", "--data", scene.url("a").path],
        environment: scene.database.settings)
      #expect(refused.code == 2 && refused.output.contains("MEMEME_SECRET_KEY_FILE"), "\(refused)")
      var settings = scene.database.settings
      settings["MEMEME_SECRET_KEY_FILE"] = scene.folder.url.appending(path: "secret-key").path
      let shared = try await ServerProcess(data: scene.url("a"), settings: settings)
      #expect(
        try await shared.get("/users/me", token: token).expect(200).json.username.text == "ada")
      try await shared.get("/memes/changes?since=\(cursor)", token: token)
        .expect(410, problem: "cursor-expired")
      let found = try await shared.get("/memes?q=moving").expect(200).json.items.elements
      #expect(found.count == 1)
      try await shared.patch(url, #"{"top":"edited"}"#, token: own).expect(200)
      try await shared.get("\(url)/image").expect(200)
      // A copy of a running installation.
      let back = try await ServerProcess.run(
        ["move", "--to-folder", scene.url("back").path, "--data", scene.url("scratch").path],
        environment: settings)
      #expect(back.code == 0 && back.output.contains("Servers were running"), "\(back.output)")
      try await shared.delete(url, token: own).expect(204)
      #expect(try await shared.end(by: SIGTERM) == 0)

      let single = try await ServerProcess(data: scene.url("back"))
      let meme = try await single.get(url).expect(200).json
      #expect(meme.captions.top.text == "edited" || meme.top.text == "edited")
      try await single.get("/users/me", token: token).expect(200)
      let edited = try await single.get("/memes?q=edited").expect(200).json.items.elements
      #expect(edited.count == 1)
      try await single.patch(url, #"{"top":"again"}"#, token: own).expect(200)
      #expect(try await single.end(by: SIGTERM) == 0)
    }
  }

  @Test func `a move refuses a source in use, and a target that is not empty`() async throws {
    try await withScene { scene in
      try await EarlierVersion(20).make(in: scene.folder.url)
      let unkeyed = try await scene.moveToServer()
      #expect(unkeyed.code == 1 && unkeyed.output.contains("secret-key"), "\(unkeyed)")
      try scene.placeKey()
      let outdated = try await scene.moveToServer()
      #expect(outdated.code == 2 && outdated.output.contains("Run mememe migrate"), "\(outdated)")

      let server = try await ServerProcess(data: scene.folder.url)
      let used = try await scene.moveToServer()
      #expect(used.code == 2 && used.output.contains("is using the data folder"), "\(used)")
      #expect(try await server.end(by: SIGTERM) == 0)

      // Nothing was written until now.
      #expect(
        try scene.database.run("SELECT count(*) FROM pg_tables WHERE tablename = 'memes'") == "0\n")
      let first = try await ServerProcess(data: scene.url("a"), settings: scene.database.settings)
      #expect(try await first.end(by: SIGTERM) == 0)
      // A database of an earlier version, which its servers still use, is not even migrated.
      try scene.database.run("DELETE FROM migrations WHERE version = 30; DROP TABLE moves")
      let full = try await scene.moveToServer()
      #expect(
        full.code == 2 && full.output.contains("the database holds an installation"), "\(full)")
      #expect(
        try scene.database.run("SELECT count(*) FROM migrations WHERE version = 30") == "0\n")
      #expect(try await scene.database.command("migrate").code == 0)
      // A database with rows and without servers.
      try scene.database.run("DELETE FROM key_codes; DELETE FROM servers")
      try scene.database.run(
        "DELETE FROM storage_limits; INSERT INTO storage_limits (id, account_bytes) VALUES (1, 5)")
      let filled = try await scene.moveToServer()
      #expect(
        filled.code == 2 && filled.output.contains("the target is not empty: table "), "\(filled)")

      try scene.database.run("INSERT INTO migrations VALUES (999, 'later', '', 999)")
      let newer = try await scene.moveToServer()
      #expect(newer.code == 2 && newer.output.contains("is newer than this program"), "\(newer)")
      let source = try await scene.moveToFolder("back")
      #expect(source.code == 2 && source.output.contains("is newer than this program"), "\(source)")
    }
  }

  @Test func `a folder that is not empty, or cannot be written, is refused`() async throws {
    try await withScene { scene in
      try await EarlierVersion.latest.make(in: scene.folder.url)
      try scene.placeKey()
      #expect(try await scene.moveToServer().code == 0)
      let bytes = Data("not a database".utf8)
      for name in ["mememe.db", "secret-key"] {
        let folder = scene.url("full \(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try bytes.write(to: folder.appending(path: name))
        let full = try await scene.moveToFolder("full \(name)")
        #expect(full.code == 2 && full.output.contains("Choose an empty"), "\(full)")
        #expect(try Data(contentsOf: folder.appending(path: name)) == bytes)
      }
      let other = try await ServerProcess.run(
        ["move", "--to-folder", scene.folder.url.path, "--data", scene.url("scratch").path],
        environment: scene.database.settings)
      #expect(other.code == 2 && other.output.contains("the target is not empty: "), "\(other)")
      try bytes.write(to: scene.url("file"))
      let file = try await scene.moveToFolder("file")
      #expect(file.code == 1 && file.output.contains("Not a directory"), "\(file)")
      for arguments in [[], ["--to", scene.address, "--to-folder", "x"]] {
        #expect(try await ServerProcess.run(["move"] + arguments).code == 2)
      }
    }
  }

  @Test func `only the same move continues an unfinished one, and no server starts with it`()
    async throws
  {
    try await withScene { scene in
      try await EarlierVersion.latest.make(in: scene.folder.url)
      try scene.placeKey()
      #expect(try await scene.database.command("migrate").code == 0)
      try scene.database.run("INSERT INTO moves VALUES (1, decode('0102030405060708', 'hex'))")
      let other = try await scene.moveToServer()
      #expect(other.code == 2 && other.output.contains("of another installation"), "\(other)")
      let epoch = try #require(
        try await texts(in: scene.folder.url, columns: 1, "SELECT hex(epoch) FROM epochs").first?
          .first)
      try scene.database.run("UPDATE moves SET source = decode('\(epoch)', 'hex')")
      // Rows that were committed before the run ended.
      try scene.database.run(
        "INSERT INTO deleted_templates VALUES (decode(repeat('00', 16), 'hex'))")
      for command in [["serve", "--port", "0"], ["check"], ["export", scene.url("out").path]] {
        let ended = try await ServerProcess.run(
          command + ["--data", scene.url("a").path], environment: scene.database.settings)
        #expect(ended.code != 0 && ended.output.contains("an unfinished move"), "\(ended)")
      }
      let moved = try await scene.moveToServer()
      #expect(moved.code == 0, "\(moved)")
      #expect(try await scene.database.command("check").code == 0)
      #expect(
        try scene.database.run(
          "SELECT count(*) FROM deleted_templates WHERE id = decode(repeat('00', 16), 'hex')")
          == "0\n")
    }
  }

  @Test func `broken pictures are reported, and nothing is moved before their repair`()
    async throws
  {
    try await withMemes { folder, _, _ in
      try await withSharedDatabase { database in
        let scene = Scene(folder: folder, database: database)
        try folder.execute(
          "UPDATE blobs SET bytes = x'00' WHERE id = (SELECT blob FROM pictures WHERE meme = 1 AND role = 2)"
        )
        try folder.execute(
          "DELETE FROM blobs WHERE id = (SELECT blob FROM pictures WHERE meme = 2 AND role = 3)")
        let broken = try await scene.moveToServer()
        #expect(broken.code == 1, "\(broken)")
        #expect(broken.output.contains("1 bytes stored, "), "\(broken)")
        #expect(broken.output.contains("no bytes"), "\(broken)")
        #expect(broken.output.contains("the source has 2 broken pictures"), "\(broken)")
        #expect(try database.run("SELECT count(*) FROM moves") == "1\n")
        #expect(try database.run("SELECT count(*) FROM blobs") == "0\n")

        try folder.execute("INSERT INTO shares (meme, channel, count) VALUES (1000, 'link', 1)")
        let repaired = try await folder.repair()
        #expect(repaired.code == 0, "\(repaired)")
        let moved = try await scene.moveToServer()
        #expect(moved.code == 0, "\(moved)")
      }
    }
  }

  @Test func `a broken reference is refused`() async throws {
    try await withScene { scene in
      try await EarlierVersion.latest.make(in: scene.folder.url)
      try scene.placeKey()
      try scene.folder.executeWithoutTriggers(
        "INSERT INTO shares (meme, channel, count) VALUES (1000, 'link', 1)")
      let broken = try await scene.moveToServer()
      #expect(broken.code == 1 && broken.output.contains("mememe: table shares: "), "\(broken)")
      #expect(broken.output.contains("Run mememe check --repair on the source"), "\(broken)")
      #expect(try scene.database.run("SELECT count(*) FROM memes") == "0\n")
    }
  }
}
