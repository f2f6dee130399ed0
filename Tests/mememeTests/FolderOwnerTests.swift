#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// Commands that root runs on a data folder of another user.
  @Suite(.enabled(if: geteuid() == 0, "only root can give files to another user"))
  struct FolderOwnerTests {
    private static let owner = 65534

    private func owners(in folder: URL) throws -> [String: Int] {
      var owners: [String: Int] = [:]
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        let attributes = try FileManager.default.attributesOfItem(
          atPath: folder.appending(path: name).path)
        owners[name] = attributes[.ownerAccountID] as? Int
      }
      return owners
    }

    @Test func `commands run as root create files of the folder's owner`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "mememe-owner-\(UUID().uuidString)")
      let data = folder.appending(path: "data")
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      try FileManager.default.setAttributes(
        [.ownerAccountID: Self.owner, .posixPermissions: 0o700], ofItemAtPath: data.path)
      for words in [
        ["migrate"], ["backup"], ["check"], ["check", "--repair"],
        ["user", "list"],
      ] {
        let (code, output) = try await ServerProcess.run(words + ["--data", data.path])
        #expect(code == 0, "\(words): \(output)")
        #expect(output.contains("mememe: running as nobody, the owner of \(data.path)"))
        let owners = try owners(in: data)
        #expect(owners["mememe.db"] == Self.owner)
        #expect(owners.values.allSatisfy { $0 == Self.owner }, "\(words): \(owners)")
      }
    }

    @Test func `a folder owned by root is used as root`() async throws {
      try await withDataFolder { folder in
        let (code, output) = try await ServerProcess.run(["migrate", "--data", folder.path])
        #expect(code == 0 && !output.contains("running as"), "\(output)")
      }
    }
  }
#endif
