#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// Upgrades that are interrupted: by kill -9, by a loss of power, or by a failing disk.
  @Suite(.serialized)
  struct UpgradeFaultTests {
    /// The version of the folder. Later migrations recreate tables and change rows.
    private static let version = EarlierVersion(3)
    private static let migrations = 20

    @Test func `after kill -9 at each commit of an upgrade, the next start completes it`()
      async throws
    {
      try await Upgrade.run(from: Self.version) { upgrade in
        // Each migration is a commit, and each commit is a sync of the log.
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
    func `after kill -9 at any call of an upgrade, the restore point is whole or absent`(
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
    func `an upgrade that fails at any call reports the reason, and the next one completes it`(
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

    @Test func `a large upgrade survives kill -9 at any moment`() async throws {
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

    @Test func `without disk space for the restore point, an upgrade fails and changes nothing`()
      async throws
    {
      try await Upgrade.run(from: Self.version, more: 50) { upgrade in
        // The very first write belongs to the copy.
        upgrade.machine.fail(.write, on: .other, after: 0, .tear, ENOSPC)
        let (code, output) = try await upgrade.migrate()
        #expect(code == 1)
        #expect(output.contains("not enough disk space for a restore point"), "\(output)")
        #expect(output.contains("mememe migrate --no-restore-point"), "\(output)")
        #expect(try Data(contentsOf: upgrade.database) == upgrade.before)
        try upgrade.expectPoint(false)
        upgrade.machine.mend()
        try await upgrade.expectFinished()
      }
    }
  }
#endif
