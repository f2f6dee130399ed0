#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// Upgrades that are ended half-way: by kill -9, by the loss of power, by a disk that fails.
  @Suite(.serialized)
  struct UpgradeFaultTests {
    /// The version that the folder is of: what comes after it has tables that are made anew and rows that are changed.
    private static let version = EarlierVersion(3)
    private static let migrations = 20

    @Test func `kill -9 at each commit of an upgrade: the next start ends it, and all is there`()
      async throws
    {
      try await Upgrade.run(from: Self.version) { upgrade in
        // Each migration is a commit, and each commit a sync of the log.
        for migration in stride(from: 0, to: Self.migrations, by: Scale.isLong ? 1 : 3) {
          try await upgrade.anew()
          upgrade.machine.fail(.sync, on: .wal, after: migration, times: 1, .kill)
          #expect(try await upgrade.start() == SIGKILL, "migration \(migration)")
          try upgrade.expectPoint(true)
          try await upgrade.expectFinished()
        }
      }
    }

    @Test(arguments: [FaultyMachine.Power.stays, .goes(keeping: nil), .goes(keeping: 7)])
    func `kill -9 at any call of an upgrade: the restore point is whole or not there`(
      power: FaultyMachine.Power
    ) async throws {
      try await Upgrade.run(from: Self.version, power: power) { upgrade in
        var (call, ends) = (0, 0)
        while ends == 0 {
          try await upgrade.anew()
          upgrade.machine.fail(.changes, after: call, times: 1, .kill)
          let code = try await upgrade.start()
          #expect(code == SIGKILL || code == 0 && upgrade.machine.failed == 0)
          if code == 0 { ends += 1 }
          try upgrade.expectPoint(nil)
          upgrade.machine.mend()
          try await upgrade.expectFinished()
          call += Scale.isLong ? 1 : 97
        }
        #expect(call > 200)
      }
    }

    @Test(arguments: [EIO, ENOSPC])
    func `an upgrade that fails at any call says why, and the next one ends it`(
      error: Int32
    ) async throws {
      try await Upgrade.run(from: Self.version) { upgrade in
        var (call, isReached) = (0, true)
        while isReached {
          try await upgrade.anew()
          upgrade.machine.fail(.changes, after: call, times: 1, .fail, error)
          let (code, output) = try await upgrade.migrate()
          isReached = upgrade.machine.failed > 0
          #expect(code == 0 || code == 1 && output.contains("mememe: "), "\(call): \(output)")
          try upgrade.expectPoint(nil)
          upgrade.machine.mend()
          try await upgrade.expectFinished()
          call += Scale.isLong ? 1 : 127
        }
      }
    }

    @Test func `kill -9 at any moment of a large upgrade`() async throws {
      try await Upgrade.run(from: Self.version, more: 800) { upgrade in
        var random = SeededRandom(Scale.seed)
        for _ in 0..<(Scale.isLong ? 40 : 2) {
          try await upgrade.anew()
          let process = try ServerProcess(launching: upgrade.data)
          try await Task.sleep(for: .milliseconds(Int.random(in: 20...700, using: &random)))
          _ = try await process.end(by: SIGKILL)
          try upgrade.expectPoint(nil)
          try await upgrade.expectFinished()
        }
      }
    }

    @Test func `a disk without room for the restore point refuses, and nothing is changed`()
      async throws
    {
      try await Upgrade.run(from: Self.version, more: 50) { upgrade in
        // The first write of all is that of the copy.
        upgrade.machine.fail(.write, on: .other, after: 0, .tear, ENOSPC)
        let (code, output) = try await upgrade.migrate()
        #expect(code == 1)
        #expect(output.contains("there is no room for a restore point"), "\(output)")
        #expect(output.contains("mememe migrate --no-restore-point"), "\(output)")
        #expect(try Data(contentsOf: upgrade.database) == upgrade.before)
        try upgrade.expectPoint(false)
        upgrade.machine.mend()
        try await upgrade.expectFinished()
      }
    }
  }
#endif
