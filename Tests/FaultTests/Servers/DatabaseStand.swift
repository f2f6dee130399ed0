import Foundation
import Support
import Testing
import Wire

/// A PostgreSQL server of its own, with a database and a folder for servers that use it.
struct DatabaseStand: Sendable {
  let database: PostgreSQLServer
  /// The name of the database.
  let name: String
  let folder: URL
  let settings: [String: String]

  static func with(
    _ database: PostgreSQLServer, _ body: (DatabaseStand) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = try database.makeDatabase()
    let settings = try ServerGroup.settings(database.address(of: name), in: folder)
    try await body(
      DatabaseStand(database: database, name: name, folder: folder, settings: settings))
    try await blocking { try database.close() }
    try FileManager.default.removeItem(at: folder)
  }

  func server(_ name: String = "a", _ changes: [String: String] = [:]) async throws -> ServerProcess
  {
    try await ServerProcess(
      data: folder.appending(path: name), settings: settings.merging(changes) { $1 })
  }

  /// A form with a picture of at least this size.
  static func form(_ top: String, bytes: Int = 0) throws -> FormBody {
    var random = SeededRandom(UInt64(bytes))
    let picture = Ledger.Upload.picture(
      &random, of: try Fixture.photo.bytes, commentBytes: bytes)
    return FormBody([.file("image", picture), .field("top", top), .field("maxEdge", "64")])
  }
}

extension ServerProcess {
  /// The value of the first sample with this name.
  func metric(_ name: String) async throws -> Int {
    let text = try await get("/metrics").response.text
    let line = text.split(separator: "\n").first {
      $0.hasPrefix("\(name) ") || $0.hasPrefix("\(name){")
    }
    return try #require(line?.split(separator: " ").last.flatMap { Int($0) }, "\(name)")
  }
}

extension Answer {
  /// Expects that the database did not respond, and that the client may try again.
  func expectBusy(sourceLocation: SourceLocation = #_sourceLocation) {
    expect(503, problem: "storage-busy", sourceLocation: sourceLocation)
    #expect(self["retry-after"] == "2", sourceLocation: sourceLocation)
  }
}
