import Bytes
import CSQLite
import Eventually
import Foundation
import Metrics
import Support
import Synchronization
import Testing

@testable import SQL
@testable import SQLite

/// The write-ahead log with long-running readers.
struct WALStateTests {
  private final class Notes: Sendable {
    let lines = Mutex<[String]>([])

    func add(_ event: CheckpointEvent) {
      let line =
        switch event {
        case .failed(let error): "failed: \(error)"
        case .held(let reader, let duration): "held by \(reader) for \(duration)"
        case .released(let duration): "released after \(duration)"
        }
      lines.withLock { $0.append(line) }
    }
  }

  /// A log, the connection that writes it, and a clock that the test sets.
  private final class Log {
    let path: String
    let connection: Connection
    let meter = WriterMeter()
    private let gate: CheckpointGate
    private let notes = Notes()
    private var time = ContinuousClock.now
    private var state: WALState?

    init(_ path: String) throws {
      self.path = path
      connection = try Connection(path: path, .readWrite, busyMilliseconds: 5000)
      gate = try CheckpointGate(besides: path)
      try connection.execute(
        """
        PRAGMA page_size = 16384;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = OFF;
        PRAGMA wal_autocheckpoint = 0;
        CREATE TABLE things (bytes BLOB);
        INSERT INTO things VALUES (zeroblob(100));
        """)
      state = try WALState(
        of: connection, at: path, meter: meter,
        report: { [notes] in notes.add($0) }, clock: { [unowned self] in time })
    }

    var told: [String] { notes.lines.withLock { $0 } }
    var bytes: Int { FileStatus(of: "\(path)-wal")?.byteCount ?? 0 }

    /// Writes a quarter of the bytes that make a checkpoint due, `times` times.
    func write(_ times: Int) throws {
      for _ in 0..<times {
        try connection.execute(
          "UPDATE things SET bytes = randomblob(\(WALState.checkpointBytes / 4))")
        look()
      }
    }

    @discardableResult
    func look() -> Duration? { state?.checkpointWhereDue(connection, through: gate) }

    func wait(_ duration: Duration) { time += duration }
  }

  /// Another process that has a read transaction open until the test ends it.
  private final class Reader {
    private let process = Process()
    private let words = Pipe.alone()
    private let ending: ProcessEnd

    init(_ path: String) throws {
      let output = Pipe.alone()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "python3", "-c",
        """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1], isolation_level=None)
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM things").fetchall()
        print("reads", flush=True)
        sys.stdin.read()
        """, path,
      ]
      (process.standardInput, process.standardOutput) = (words, output)
      ending = try process.startAlone()
      #expect(output.fileHandleForReading.availableData.starts(with: "reads".utf8))
    }

    func end() throws {
      try words.fileHandleForWriting.close()
      ending.wait()
    }
  }

  @Test func `a long-running reader is named, and checkpoints become less frequent`() async throws {
    try await withScratchFile { path in
      let log = try Log(path)
      try log.write(1)
      let reader = try Reader(path)
      // The first attempt comes when enough was written. The next ones come at their times, whatever is written.
      try log.write(20)
      #expect(log.bytes > WALState.longBytes && log.meter.checkpointSeconds.count == 1)
      var pauses: [Duration] = []
      for _ in 0..<7 {
        let pause = try #require(log.look())
        pauses.append(pause)
        log.wait(pause)
      }
      #expect(pauses == [100, 200, 400, 800, 1600, 3200, 5000].map { .milliseconds($0) })
      #expect(log.told.isEmpty && log.meter.hold.current == nil)
      log.look()
      #if os(Linux)
        #expect(log.told == ["held by python3 for 11.3 seconds"])
        #expect(log.meter.hold.current?.reader == "python3")
      #endif
      log.wait(.seconds(60))
      log.look()
      #expect(log.told.count == 1)

      try reader.end()
      log.wait(.seconds(5))
      #expect(log.look() == nil)
      #expect(log.told.last == "released after 76.3 seconds" && log.told.count == 2)
      #expect(log.meter.hold.current == nil)
      // The log starts over within its current size.
      let bytes = log.bytes
      try log.write(40)
      #expect(log.bytes == bytes)
    }
  }

  @Test func `a reader in this process is reported as this server`() async throws {
    try await withScratchFile { path in
      let log = try Log(path)
      try log.write(1)
      let readers = SQLiteReaders(path: path, limit: 1) { $0 }
      try readers.blockingRead { db in
        _ = try db.first("SELECT count(*) FROM things") { _ in true }
        do {
          try log.write(5)
          for _ in 0..<8 { log.wait(log.look() ?? .zero) }
        } catch { throw DatabaseError(.other, "\(error)") }
      }
      #if os(Linux)
        #expect(log.told == ["held by this server for 11.3 seconds"])
      #endif
      readers.close()
    }
  }

  @Test func `a reader is not taken for this server if the list of locks cannot be read`()
    async throws
  {
    try await withScratchFile { path in
      let log = try Log(path)
      try log.write(1)
      let name = LogReaders.name(ofDatabase: path, in: "\(path)-locks")
      #expect(name == "an unknown process")
    }
  }

  @Test func `deleted data leaves the files of an open database`() async throws {
    try await withScratchFile { path in
      var commits = CommitSettings.standard
      commits.emptiesLogAfter = .milliseconds(20)
      let database = try SQLiteDatabase(path: path, migrator: migrator(), commits: commits)
      func isStored() -> Bool {
        ["-wal", ""].contains { suffix in
          FileManager.default.contents(atPath: path + suffix)?.range(of: Data("secret".utf8)) != nil
        }
      }
      // An idle reader does not keep the log.
      _ = try database.readers.blockingRead { db in
        try db.first("SELECT count(*) FROM things") { _ in true }
      }
      try await database.writer.transaction { db in
        try db.run("INSERT INTO things (id, text) VALUES (1, 'secret')")
      }
      #expect(isStored())
      try await eventually("the log is empty") { FileStatus(of: "\(path)-wal")?.byteCount == 0 }
      #expect(isStored())
      try await database.writer.transaction { db in try db.run("DELETE FROM things") }
      try await eventually("the text is in no file") { !isStored() }
      await database.close()
    }
  }

  @Test func `a log that a crash left is emptied`() async throws {
    try await withScratchFile { path in
      let crashed = try SQLiteDatabase(path: path, migrator: migrator())
      try await crashed.writer.transaction { db in
        try db.run("INSERT INTO things (id, text) VALUES (1, 'secret')")
      }
      let copy = "\(path)-copy"
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      await crashed.close()
      #expect(try #require(FileStatus(of: "\(copy)-wal")).byteCount > 0)
      var commits = CommitSettings.standard
      commits.emptiesLogAfter = .milliseconds(20)
      let database = try SQLiteDatabase(path: copy, migrator: migrator(), commits: commits)
      try await eventually("the log is empty") { FileStatus(of: "\(copy)-wal")?.byteCount == 0 }
      let text: String? = try database.readers.blockingRead { db in
        try db.value("SELECT text FROM things")
      }
      #expect(text == "secret")
      await database.close()
    }
  }
}
