import Foundation
import Support
import Testing

/// Settings that name a file with a secret.
struct SecretFileSettingTests {
  /// With another exit code, systemd would start the server again and again.
  @Test(
    arguments: [
      (0o644, "has mode 644, so other users can read it"), (nil, "No such file or directory"),
    ] as [(Int?, String)])
  func `a server that cannot use the file names the setting, and exits with 2`(
    mode: Int?, reason: String
  ) async throws {
    try await withDataFolder { folder in
      let file = folder.appending(path: "client-secret")
      if let mode {
        try Data("secret\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
      }
      let (code, output) = try await ServerProcess.run(
        ["serve", "--port", "0", "--data", folder.appending(path: "data").path],
        environment: [
          "MEMEME_OIDC_ISSUER": "https://login.example", "MEMEME_OIDC_CLIENT_ID": "mememe",
          "MEMEME_OIDC_CLIENT_SECRET_FILE": file.path,
        ])
      #expect(code == 2, "\(output)")
      #expect(output.contains("mememe: MEMEME_OIDC_CLIENT_SECRET_FILE: "), "\(output)")
      #expect(output.contains(reason), "\(output)")
    }
  }
}
