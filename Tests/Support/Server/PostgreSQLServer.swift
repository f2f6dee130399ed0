import Foundation
import Synchronization

/// A PostgreSQL server of the test process, on a socket in a folder of its own. It ends with the process, however that
/// ends.
public final class PostgreSQLServer: Sendable {
  /// Why the server cannot run.
  public struct Failure: Error {
    let message: String
  }

  private let folder: String
  private let count = Atomic<Int>(0)
  /// Commands for the server's parent. It ends the server when this closes.
  private let lifeline = Pipe.alone()
  private let answers = Pipe.alone()

  private static let started = Mutex<Result<PostgreSQLServer, any Error>?>(nil)

  /// The server of this process for databases that live for a test. It is started on first use.
  public static func shared() throws -> PostgreSQLServer {
    try started.withLock { started in
      let server = started ?? Result { try PostgreSQLServer() }
      started = server
      return try server.get()
    }
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - isDurable: whether it waits for the disk, as real servers do.
  ///   - megabytes: the size of a file system in memory, which only this server sees: ``smallDisk``. It needs a
  ///     launcher that starts a program in a mount namespace.
  public init(
    isDurable: Bool = false, smallDisk megabytes: Int? = nil, through launcher: [String] = []
  ) throws {
    folder = try Self.makeFolder()
    let process = Process()
    let command =
      launcher + [
        "/bin/sh", "-c", Self.script, "sh", try Self.programs(), folder, isDurable ? "on" : "off",
        megabytes.map(String.init) ?? "",
      ]
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = lifeline
    process.standardOutput = answers
    process.standardError = FileHandle.nullDevice
    try process.startAlone()
    try expectDone("did not start")
  }

  /// Ends all processes of the server at once. What was not synced is lost with the machine's memory only.
  public func kill() throws {
    try lifeline.fileHandleForWriting.write(contentsOf: Data("kill\n".utf8))
    try expectDone("did not stop")
  }

  /// Starts the server again, and waits until it has recovered.
  public func start() throws {
    try lifeline.fileHandleForWriting.write(contentsOf: Data("start\n".utf8))
    try expectDone("did not start again")
  }

  /// Ends the server and removes its folder.
  public func close() throws {
    try lifeline.fileHandleForWriting.close()
    _ = try answers.fileHandleForReading.readToEnd()
  }

  private func expectDone(_ problem: String) throws {
    let answer = String(decoding: answers.fileHandleForReading.readData(ofLength: 5), as: UTF8.self)
    guard answer == "done\n" else {
      throw Failure(message: "PostgreSQL \(problem): \(folder)/log")
    }
  }

  /// The folder on the small disk.
  public var smallDisk: String { "\(folder)/small" }

  /// The log of the server, since its first start.
  public var log: String {
    (try? String(contentsOf: URL(filePath: "\(folder)/server.log"), encoding: .utf8)) ?? ""
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
    programs=$1 folder=$2 durable=$3 megabytes=$4
    as=; if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; as='runuser -u postgres --'; fi
    cd "$folder" || exit
    if [ -n "$megabytes" ]; then
      mkdir small && mount -t tmpfs -o "size=${megabytes}m" none small && chown postgres small || exit
    fi
    start() {
      $as "$programs/pg_ctl" -D data -w -l "$folder/server.log" -o "-k $folder -c listen_addresses='' -c fsync=$durable \\
        -c synchronous_commit=$durable -c full_page_writes=$durable -c max_connections=300 -c shared_buffers=64MB" start \\
        >> log 2>&1
    }
    kill() { $as "$programs/pg_ctl" -D data -m immediate stop >> log 2>&1; }
    $as "$programs/initdb" --locale=C --encoding=UTF8 --auth=trust -N -U postgres -D data > log 2>&1 && start || exit
    echo done
    while read -r command; do "$command" && echo done || echo fail; done
    kill
    if [ -n "$megabytes" ]; then umount small; fi
    rm -rf "$folder"
    """

  /// The address of a database on this server.
  ///
  /// - Parameter folder: has the socket, if it is not the server's own.
  public func address(of database: String, in folder: String? = nil) -> String {
    "postgres://postgres@/\(database)?host=\(folder ?? self.folder)"
  }

  /// The path of the socket.
  public var socket: String { "\(folder)/\(Self.socketName)" }

  /// The name of a server's socket in its folder.
  public static let socketName = ".s.PGSQL.5432"

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
    let (output, errors) = (Pipe.alone(), Pipe.alone())
    process.executableURL = URL(filePath: "\(try Self.programs())/psql")
    process.arguments = [
      "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", "-d",
      database, "-c", sql,
    ]
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    let end = try process.startAlone()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let problem = errors.fileHandleForReading.readDataToEndOfFile()
    end.wait()
    guard process.terminationStatus == 0 else {
      throw Failure(message: String(decoding: problem, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }
}
