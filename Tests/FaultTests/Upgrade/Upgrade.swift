#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// A folder of an earlier version that is upgraded again and again on a faulty machine.
  struct Upgrade {
    let machine: FaultyMachine
    let data: URL
    /// The database file before the upgrade.
    let before: Data
    private let contents: EarlierContents
    private let version: EarlierVersion
    private let power: FaultyMachine.Power

    var database: URL { data.appending(path: "mememe.db") }

    static func run(
      from version: EarlierVersion, more: Int = 0, power: FaultyMachine.Power = .stays,
      _ body: (Upgrade) async throws -> Void
    ) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-upgrade-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let data = folder.appending(path: "data")
      try await version.make(in: data, more: more)
      let contents = try await version.contents(of: data)
      try await body(
        Upgrade(
          machine: try FaultyMachine(in: folder.appending(path: "machine")), data: data,
          before: try Data(contentsOf: data.appending(path: "mememe.db")), contents: contents,
          version: version, power: power))
    }

    /// Restores the folder to its state before the upgrade.
    func anew() async throws {
      machine.mend()
      try? FileManager.default.removeItem(at: data)
      // The undo logs of the machine belong to files that no longer exist.
      let undo = machine.folder.appending(path: "undo")
      try? FileManager.default.removeItem(at: undo)
      try FileManager.default.createDirectory(at: undo, withIntermediateDirectories: true)
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      try before.write(to: database)
    }

    /// Starts a server on the machine, and ends it once it is ready.
    ///
    /// - Returns: the exit code, or the number of the signal.
    func start() async throws -> Int32 {
      let server = try ServerProcess(launching: data, settings: environment)
      do { try await server.ready() } catch { return try await server.ended() }
      machine.mend()
      return try await server.end(by: SIGTERM)
    }

    /// Runs `mememe migrate` on the machine.
    func migrate() async throws -> (code: Int32, output: String) {
      try await ServerProcess.run(["migrate", "--data", data.path], environment: environment)
    }

    private var environment: [String: String] {
      machine.environment(data: data, power: power)
    }

    /// Expects that the restore point exists and equals the database before the upgrade, byte for byte, or that it does
    /// not exist.
    ///
    /// - Parameter isExpected: `nil` if both are acceptable.
    func expectPoint(
      _ isExpected: Bool?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let points = restorePoints
      #expect(points.count <= 1, sourceLocation: sourceLocation)
      if let isExpected {
        #expect(points.isEmpty != isExpected, sourceLocation: sourceLocation)
      }
      for point in points {
        #expect(try Data(contentsOf: point) == before, sourceLocation: sourceLocation)
      }
    }

    /// Starts once more without faults. Expects all data, and one restore point of the upgrade.
    func expectFinished(sourceLocation: SourceLocation = #_sourceLocation) async throws {
      // On the machine, because this start loses what was not synced when the power failed.
      let (code, output) = try await migrate()
      #expect(code == 0, "\(output)", sourceLocation: sourceLocation)
      let after = try await version.contents(of: data, columns: contents.columns)
      for (table, rows) in contents.rows where table != "migrations" {
        #expect(
          after.rows[table]?.sorted() == rows.sorted(), "\(table)", sourceLocation: sourceLocation)
      }
      let (checked, findings) = try await ServerProcess.run([
        "check", "--decode", "--data", data.path,
      ])
      #expect(checked == 0, "\(findings)", sourceLocation: sourceLocation)
      try expectPoint(true, sourceLocation: sourceLocation)
      let left = (try? FileManager.default.contentsOfDirectory(atPath: points.path)) ?? []
      #expect(left.count == 1, "\(left)", sourceLocation: sourceLocation)
    }

    private var points: URL { data.appending(path: "restore-points") }

    private var restorePoints: [URL] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: points.path)) ?? []
      return names.filter { $0.hasSuffix(".db") }.map { points.appending(path: $0) }
    }
  }
#endif
