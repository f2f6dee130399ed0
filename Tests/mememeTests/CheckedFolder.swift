import Bytes
import Crypto
import Eventually
import Foundation
import Storage
import Support
import Testing
import Wire
import mememe

@testable import SQL
@testable import SQLite

/// A data folder without a server, and ways to damage its database.
struct CheckedFolder {
  let url: URL
  /// The file name of the database.
  var name = "mememe.db"

  var database: URL { url.appending(path: name) }

  func check(
    decoding decodes: Bool = true
  ) async throws -> (code: Int32, lines: [Substring]) {
    let (code, output) = try await ServerProcess.run(
      ["check", "--data", url.path] + (decodes ? ["--decode"] : []))
    return (code, output.split(separator: "\n"))
  }

  /// Runs a check with repair, and then another check.
  func repair() async throws -> (code: Int32, lines: [Substring]) {
    let (code, output) = try await ServerProcess.run([
      "check", "--decode", "--repair", "--data", url.path,
    ])
    return (code, output.split(separator: "\n"))
  }

  /// Runs SQL without firing triggers.
  func executeWithoutTriggers(_ sql: String) throws {
    let connection = try connection()
    let triggers = try connection.transaction(.deferred) { db in
      try db.all("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'") {
        row in (name: try row[0] as String, sql: try row[1] as String)
      }
    }
    let dropping = triggers.map { "DROP TRIGGER \($0.name);" }.joined()
    let making = triggers.map { "\($0.sql);" }.joined()
    try execute("\(dropping)\(sql);\(making)")
  }

  /// The first column of the query's first row.
  func bytes(_ query: String) throws -> [UInt8] {
    try connection().transaction(.deferred) { db in
      try db.value(query) ?? []
    }
  }

  /// Runs SQL without enforcing foreign keys.
  func execute(_ sql: String) throws {
    let connection = try connection()
    try connection.execute("PRAGMA foreign_keys = OFF;" + sql)
    _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  func blob(ofMeme meme: Int, role: Int) throws -> [UInt8] {
    let connection = try connection()
    return try connection.transaction(.deferred) { db in
      try db.value(
        "SELECT bytes FROM blobs JOIN pictures ON blob = blobs.id WHERE meme = ? AND role = ?",
        meme, role) ?? []
    }
  }

  /// Also updates the length and the digest.
  func replaceBlob(ofMeme meme: Int, role: Int, by bytes: [UInt8]) throws {
    let connection = try connection()
    let digest = SHA256.digest(of: Bytes(bytes))
    try connection.transaction(.immediate) { db in
      try db.run(
        """
        UPDATE blobs SET bytes = ? WHERE id = (SELECT blob FROM pictures WHERE meme = ? AND role = ?)
        """, bytes, meme, role)
      try db.run(
        "UPDATE pictures SET byte_count = ?, digest = ? WHERE meme = ? AND role = ?",
        bytes.count, digest, meme, role)
    }
    _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func connection() throws -> Connection {
    try Connection(path: database.path, .readWrite, busyMilliseconds: 1000)
  }
}

/// Calls `body` with a folder without a server that has two memes, one of them in the trash.
func withMemes(
  _ body: (CheckedFolder, _ kept: String, _ deleted: String) async throws -> Void
) async throws {
  try await withFolder { folder in
    var ids: [String] = []
    try await withServer(in: folder.url) { server in
      for (picture, top) in [(Fixture.photo, "kept"), (.transparent, "deleted")] {
        let answer = try await server.upload(picture, top: top).expect(201)
        ids.append(try #require(answer.json.id.text))
      }
      try await server.delete("/memes/\(ids[1])", token: server.adminToken).expect(204)
    }
    // A process that another test starts inherits the lock until it executes its program.
    try await eventually("the lock is free") { try !DataFolder.isInUse(at: folder.url.path) }
    try await body(folder, ids[0], ids[1])
  }
}

func withFolder(_ body: (CheckedFolder) async throws -> Void) async throws {
  try await withDataFolder { try await body(CheckedFolder(url: $0)) }
}

/// Damages a copy of a database, and expects findings with these beginnings. The copy has its own folder, because
/// SQLite keeps further files next to a database.
///
/// - Returns: the lines of the check.
@discardableResult
func expectFindings(
  _ expected: [String], after sql: String, in whole: Data,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws -> [Substring] {
  var found: [Substring] = []
  try await withFolder { copy in
    try whole.write(to: copy.database)
    try copy.execute(sql)
    let (code, lines) = try await copy.check()
    #expect(code == 1, sourceLocation: sourceLocation)
    for text in expected {
      #expect(lines.contains { $0.hasPrefix(text) }, "\(lines)", sourceLocation: sourceLocation)
    }
    found = lines
  }
  return found
}
