package import Foundation

/// nginx in front of several servers, with the configuration of the guide.
package final class NginxServer: Sendable {
  package let program: KillableProgram
  package let port: Int

  /// Starts nginx.
  ///
  /// - Parameters:
  ///   - servers: the ports of the servers.
  ///   - folder: for its configuration and its logs.
  package init(servers: [Int], in folder: URL) throws {
    port = try KillableProgram.freePort()
    let addresses = ([port] + servers).map { "127.0.0.1:\($0)" }
    program = try KillableProgram(
      "nginx", [KillableProgram.script("nginx.py"), folder.path] + addresses,
      readiness: "curl -s -m 5 -o /dev/null http://127.0.0.1:\(port)/", in: folder)
  }

  /// Whether nginx is installed.
  package static let isInstalled = [
    "/usr/sbin", "/usr/bin", "/opt/homebrew/bin", "/usr/local/bin",
  ].contains { FileManager.default.isExecutableFile(atPath: "\($0)/nginx") }
}
