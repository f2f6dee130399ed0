import Foundation
import Synchronization

/// A PostgreSQL server of the test process, on a socket in a folder of its own. It is started on first use, and ends
/// with the process, however that ends.
public final class PostgreSQLServer: Sendable {
  /// Why the server cannot run.
  public struct Failure: Error {
    let message: String
  }

  private let folder: String
  private let count = Atomic<Int>(0)
  /// The server's parent ends it when this closes.
  private let lifeline: Pipe

  private static let started = Mutex<Result<PostgreSQLServer, any Error>?>(nil)

  /// The server of this process.
  public static func shared() throws -> PostgreSQLServer {
    try started.withLock { started in
      let server = started ?? Result { try PostgreSQLServer() }
      started = server
      return try server.get()
    }
  }

  private init() throws {
    folder = try Self.makeFolder()
    lifeline = Pipe()
    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", try Self.programs(), folder]
    process.standardInput = lifeline
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let answer = String(decoding: output.fileHandleForReading.readData(ofLength: 5), as: UTF8.self)
    guard answer == "ready" else {
      throw Failure(message: "PostgreSQL did not start: \(folder)/log")
    }
  }

  private static func makeFolder() throws -> String {
    let folder = NSTemporaryDirectory() + "postgresql-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    return folder
  }

  /// The folder with initdb. Debian keeps it out of PATH.
  private static func programs() throws -> String {
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    let folders =
      versions.sorted { Int($0) ?? 0 > Int($1) ?? 0 }.map { "\(debian)/\($0)/bin" }
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    guard
      let found = folders.first(where: {
        FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
      })
    else { throw Failure(message: "PostgreSQL is not installed: script/setup installs it.") }
    return found
  }

  // The server does not run as root. Durability is of no use for a database that lives for a test.
  private static let script = """
    programs=$1 folder=$2
    as=; if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; as='runuser -u postgres --'; fi
    cd "$folder" || exit
    $as "$programs/initdb" --locale=C --encoding=UTF8 --auth=trust -N -U postgres -D data > log 2>&1 || exit
    $as "$programs/pg_ctl" -D data -w -l "$folder/server.log" -o "-k $folder -c listen_addresses='' -c fsync=off \\
      -c synchronous_commit=off -c full_page_writes=off -c max_connections=300 -c shared_buffers=64MB" start >> log 2>&1 || exit
    printf ready
    cat > /dev/null
    $as "$programs/pg_ctl" -D data -m immediate stop >> log 2>&1
    rm -rf "$folder"
    """

  /// The address of a database on this server.
  public func address(of database: String) -> String {
    "postgres://postgres@/\(database)?host=\(folder)"
  }

  /// Makes a new database, as a copy of another one.
  ///
  /// - Returns: its name.
  public func makeDatabase(from template: String = "template0") throws -> String {
    let name = "test_\(count.add(1, ordering: .relaxed).newValue)"
    try run("CREATE DATABASE \(name) TEMPLATE \(template)")
    return name
  }

  public func drop(_ database: String) throws {
    try run("DROP DATABASE IF EXISTS \(database) WITH (FORCE)")
  }

  /// Runs a script with psql.
  ///
  /// - Returns: what it prints: rows without headings.
  @discardableResult
  public func run(_ sql: String, in database: String = "postgres") throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "\(try Self.programs())/psql")
    process.arguments = [
      "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", "-d",
      database, "-c", sql,
    ]
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let problem = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(message: String(decoding: problem, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
