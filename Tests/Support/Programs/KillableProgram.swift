package import Foundation

/// A program of another project in processes of its own, which a test kills and starts again. They end with the test
/// process, however that ends.
package final class KillableProgram: Sendable {
  /// Why the program cannot run.
  package struct Failure: Error {
    let message: String
  }

  private let name: String
  private let folder: URL
  private let answers = Pipe.alone()
  /// Commands for the program's parent. It ends the program when this closes.
  private let lifeline = Pipe.alone()

  /// Starts the program, and waits until it is ready.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - readiness: a command of the shell that succeeds when the program is ready.
  ///   - folder: where its log is written.
  package init(
    _ name: String, _ command: [String], readiness: String,
    environment: [String: String] = [:], in folder: URL
  ) throws {
    (self.name, self.folder) = (name, folder)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.program, "sh", folder.path, name, readiness] + command
    (process.standardInput, process.standardOutput) = (lifeline, answers)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    try process.startAlone()
    try expectDone("did not start")
  }

  /// The program leads a process group, so that a signal reaches all of its processes.
  private static let program = """
    folder=$1 name=$2 readiness=$3
    shift 3
    alone='import os, sys; os.setsid(); os.execvp(sys.argv[1], sys.argv[1:])'
    start() {
      python3 -c "$alone" "$@" < /dev/null >> "$folder/$name.log" 2>&1 &
      pid=$!
      for _ in $(seq 600); do
        if sh -c "$readiness"; then return 0; fi
        sleep 0.1
      done
      return 1
    }
    kill9() { kill -9 "-$pid"; wait "$pid" 2> "$folder/$name.end"; return 0; }
    freeze() { kill -STOP "-$pid"; }
    thaw() { kill -CONT "-$pid"; }
    start "$@" && echo done || echo fail
    while read -r command; do "$command" "$@" && echo done || echo fail; done
    kill9
    """

  /// `kill -9` of all its processes.
  package func kill() throws { try order("kill9", "did not stop") }

  /// Starts the program again, and waits until it is ready.
  package func start() throws { try order("start", "did not start again") }

  /// Stops its processes, which then do nothing, until ``thaw()``.
  package func freeze() throws { try order("freeze", "did not stop") }

  package func thaw() throws { try order("thaw", "did not go on") }

  /// Ends the program.
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
      throw Failure(message: "\(name) \(problem): \(folder.path)/\(name).log")
    }
  }

  /// The path of a file in `script`.
  static func script(_ name: String) -> String {
    URL(filePath: #filePath).appending(path: "../../../../script/\(name)").standardizedFileURL.path
  }

  /// A port on which nothing listens, and which the system gives to no outgoing connection, because a program that
  /// starts again needs it again.
  package static func freePort() throws -> Int {
    let text = try Python.run(
      """
      import random, socket
      while True:
          try:
              with socket.socket() as free:
                  free.bind(("127.0.0.1", random.randrange(15000, 32000)))
                  print(free.getsockname()[1])
                  break
          except OSError:
              pass
      """)
    guard let port = Int(String(decoding: text, as: UTF8.self).filter(\.isNumber)) else {
      throw Failure(message: "no port is free")
    }
    return port
  }
}
