import Foundation
import Support
import Testing
import Wire

struct TLSKeyTests {
  @Test(arguments: [(0o600, false), (0o640, false), (0o644, true)])
  func `a key that every user can read causes a warning`(mode: Int, isWarned: Bool) async throws {
    try await withDataFolder { folder in
      let key = folder.appending(path: "key.pem")
      try FileManager.default.copyItem(at: TestIdentity.key, to: key)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key.path)
      let server = try await ServerProcess(
        data: folder.appending(path: "data"),
        settings: [
          "MEMEME_TLS_CERT": TestIdentity.certificate.path, "MEMEME_TLS_KEY": key.path,
        ])
      let log = server.log
      #expect(try await server.end(by: SIGTERM) == 0)
      #expect(log.contains("every user of the machine can read the TLS key") == isWarned)
    }
  }
}
