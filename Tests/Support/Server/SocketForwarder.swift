import Foundation

/// The network between a server and PostgreSQL. `SIGSTOP` makes it swallow everything; `SIGKILL` breaks all connections
/// and refuses new ones.
package final class SocketForwarder: Sendable {
  private let process: Process
  private let ending: ProcessEnd

  /// Forwards connections from a socket, which is created, to another one.
  package init(from here: String, to there: String) throws {
    let output = Pipe.alone()
    process = Process()
    process.executableURL = URL(filePath: try Python.path())
    process.arguments = [Self.program.path, here, there]
    process.standardOutput = output
    ending = try process.startAlone()
    _ = try output.fileHandleForReading.read(upToCount: 5)
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    ending.wait()
  }

  package func send(signal: Int32) {
    kill(process.processIdentifier, signal)
    if signal == SIGKILL { ending.wait() }
  }

  /// `Tests/Support/Fixtures`
  private static let program = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/socket-forwarder.py")
}
