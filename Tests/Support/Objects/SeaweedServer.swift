package import Foundation

/// An object store that can be killed: SeaweedFS in a process of its own. It ends with the test process, however that
/// ends.
package final class SeaweedServer: Sendable {
  /// Why the server cannot run.
  package struct Failure: Error {
    let message: String
  }

  private let folder: URL
  private let port: Int
  private let answers = Pipe.alone()
  /// Commands for the server's parent. It ends the server when this closes.
  private let lifeline = Pipe.alone()

  /// Starts a server.
  ///
  /// - Parameter folder: for its data and its log.
  package init(in folder: URL) throws {
    (self.folder, port) = (folder, try Self.freePort())
    let script = URL(filePath: #filePath).appending(path: "../../../../script/seaweedfs")
      .standardizedFileURL.path
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.program, "sh", script, folder.path, String(port)]
    (process.standardInput, process.standardOutput) = (lifeline, answers)
    process.environment = ProcessInfo.processInfo.environment.merging(
      Self.account
    ) { $1 }
    try process.startAlone()
    try expectDone("did not start")
  }

  private static let program = """
    script=$1 folder=$2 port=$3
    start() {
      "$script" "$folder/data" "$port" < /dev/null >> "$folder/log" 2>&1 &
      pid=$!
      for _ in $(seq 600); do
        if "$script" --is-ready "$port"; then return 0; fi
        sleep 0.1
      done
      return 1
    }
    kill9() { kill -9 "$pid"; wait "$pid" 2> "$folder/end"; return 0; }
    freeze() { kill -STOP "$pid"; }
    thaw() { kill -CONT "$pid"; }
    start && echo done || echo fail
    while read -r command; do "$command" && echo done || echo fail; done
    kill9
    """

  private static func freePort() throws -> Int {
    let text = try Python.run(
      "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])")
    guard let port = Int(String(decoding: text, as: UTF8.self).filter(\.isNumber)) else {
      throw Failure(message: "no port is free")
    }
    return port
  }

  /// `kill -9`.
  package func kill() throws { try order("kill9", "did not stop") }

  /// Starts the server again, and waits until it answers.
  package func start() throws { try order("start", "did not start again") }

  /// Stops the process, which then answers nothing, until ``thaw()``.
  package func freeze() throws { try order("freeze", "did not stop") }

  package func thaw() throws { try order("thaw", "did not go on") }

  /// Ends the server.
  package func close() throws {
    try lifeline.fileHandleForWriting.close()
    _ = try answers.fileHandleForReading.readToEnd()
  }

  private func order(_ command: String, _ problem: String) throws {
    try lifeline.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    try expectDone(problem)
  }

  private func expectDone(_ problem: String) throws {
    let answer = String(decoding: answers.fileHandleForReading.readData(ofLength: 5), as: UTF8.self)
    guard answer == "done\n" else {
      throw Failure(message: "SeaweedFS \(problem): \(folder.path)/log")
    }
  }

  /// That of ``RcloneServer``.
  private static let account = [
    "AWS_ACCESS_KEY_ID": RcloneServer.accessKey, "AWS_SECRET_ACCESS_KEY": RcloneServer.secret,
  ]

  /// The address of its bucket.
  package var address: String {
    "s3://memes/pictures?endpoint=http://127.0.0.1:\(port)&path-style=yes"
  }

  /// The settings of a server that keeps pictures in it.
  package var settings: [String: String] {
    Self.account.merging(["MEMEME_OBJECTS": address]) { $1 }
  }
}
