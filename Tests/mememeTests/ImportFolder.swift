import Foundation
import Memes
import SQL
import SQLite
import Storage
import Support
import Testing
import mememe

/// A folder of pictures with a list, and a data folder to import it into.
struct ImportFolder: Sendable {
  let pictures: URL
  let data: URL

  func put(_ fixture: Fixture, as name: String) throws { try put(try fixture.bytes, as: name) }

  func put(_ bytes: [UInt8], as name: String) throws {
    let file = pictures.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func put(_ text: String, as name: String = "memes.csv") throws {
    try put(Array(text.utf8), as: name)
  }

  func text(of name: String) throws -> String {
    try String(contentsOf: pictures.appending(path: name), encoding: .utf8)
  }

  func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: pictures.appending(path: name).path)
  }

  func run(_ words: String...) async throws -> (code: Int32, output: String) {
    try await ServerProcess.run(["import", pictures.path] + words + ["--data", data.path])
  }

  func export(to folder: URL, _ words: String...) async throws -> (code: Int32, output: String) {
    try await ServerProcess.run(["export", folder.path] + words + ["--data", data.path])
  }

  func check() async throws {
    let (code, output) = try await ServerProcess.run(["check", "--decode", "--data", data.path])
    #expect(code == 0, "\(output)")
  }

  /// Makes the data folder with a database, unless it is there.
  func makeDatabase() async throws {
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let made = try await ServerProcess.run(["migrate", "--data", data.path])
    #expect(made.code == 0, "\(made.output)")
  }

  func makePerson(_ name: String) async throws {
    try await makeDatabase()
    let made = try await ServerProcess.run(
      ["user", "create", name, "--email", "\(name)@example.org", "--data", data.path],
      input: "\(TestServer.password)\n")
    #expect(made.code == 0, "\(made.output)")
  }

  /// The number of memes, even while another process creates some.
  func count() -> Int {
    let migrations = Assets.migrations.map { Migration(name: $0.name, sql: $0.sql) }
    guard
      let database = try? MemeDatabase.openForReading(
        at: data.path, migrations: migrations, readers: 1)
    else { return 0 }
    defer { database.close() }
    return (try? MemeCollection(database.readers, Blobs()).count(of: nil)) ?? 0
  }
}

func withImportFolder(_ body: (ImportFolder) async throws -> Void) async throws {
  try await withDataFolder { folder in
    let place = ImportFolder(
      pictures: folder.appending(path: "pictures"), data: folder.appending(path: "data"))
    try FileManager.default.createDirectory(at: place.pictures, withIntermediateDirectories: true)
    try await body(place)
  }
}

/// A command that runs while a test observes it.
struct RunningCommand {
  private let process = Process()
  private let ending: ProcessEnd
  private let output: URL

  /// - Parameter log: The file for both outputs.
  init(_ arguments: [String], log: URL) throws {
    output = log
    try Data().write(to: log)
    let file = try FileHandle(forWritingTo: log)
    process.executableURL = ServerProcess.executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("MEMEME_")
    }
    (process.standardOutput, process.standardError) = (file, file)
    process.standardInput = FileHandle.nullDevice
    ending = try process.startAlone()
    try file.close()
  }

  /// Sends the process a signal once `hasComeFar` returns `true`. Waits on its own thread, because
  /// other tests keep the shared threads busy.
  ///
  /// - Returns: The exit code, or the number of the signal that ended the process.
  func end(
    by signal: Int32, when hasComeFar: @escaping @Sendable () -> Bool
  ) async throws -> (code: Int32, output: String) {
    try await blocking { [ending, process = process.processIdentifier] in
      while !ending.hasCome, !hasComeFar() { usleep(500) }
      if !ending.hasCome { kill(process, signal) }
      ending.wait()
    }
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }
}
