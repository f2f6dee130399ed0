package import Foundation
package import Objects
import Synchronization

/// An object store of the test process: `rclone serve s3`, which checks signatures, over a folder. It is started on
/// first use, and ends with the process, however that ends.
package final class RcloneServer: Sendable {
  /// Why the server cannot run.
  package struct Failure: Error {
    let message: String
  }

  static let (accessKey, secret) = ("tester", "a/secret+of=tests")
  package static let account = S3Credentials(accessKey: accessKey, secret: secret)

  private let folder: URL
  package let port: Int
  private let count = Atomic<Int>(0)
  /// The server's parent ends it when this closes.
  private let lifeline = Pipe.alone()

  private static let started = Mutex<Result<RcloneServer, any Error>?>(nil)

  private static func program() throws -> String {
    try Python.path().replacing(/python3$/, with: "rclone")
  }

  /// Whether tests use it: if it is installed, and if `TEST_OBJECTS` is set. It comes from PyPI, which is not always
  /// in reach; `script/test --all` needs it.
  package static var isWanted: Bool {
    ProcessInfo.processInfo.environment["TEST_OBJECTS"] != nil
      || (try? program()).map(FileManager.default.isExecutableFile(atPath:)) ?? false
  }

  /// The server of this process.
  package static func shared() throws -> RcloneServer {
    try started.withLock { started in
      let server = started ?? Result { try RcloneServer() }
      started = server
      return try server.get()
    }
  }

  private init() throws {
    let name = "rclone-\(UUID().uuidString.prefix(8))"
    folder = URL(filePath: NSTemporaryDirectory()).appending(path: name)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "data"), withIntermediateDirectories: true)
    let program = try Self.program()
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw Failure(message: "rclone is not installed: script/setup --objects installs it.")
    }
    let (process, output) = (Process(), Pipe.alone())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", program, folder.path]
    process.standardInput = lifeline
    process.standardOutput = output
    try process.startAlone()
    let line = String(
      decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.filter(\.isNumber)) else {
      throw Failure(message: "rclone did not start: \(folder.path)/log")
    }
    self.port = port
  }

  private static let script = """
    rclone=$1 folder=$2
    # rclone does not see a bucket that is made later.
    (cd "$folder/data" && seq -f 'bucket-%.0f' 1000 | xargs mkdir)
    "$rclone" serve s3 --addr 127.0.0.1:0 --auth-key \(accessKey),\(secret) --config /dev/null "$folder/data" < /dev/null > "$folder/log" 2>&1 &
    pid=$!
    for _ in $(seq 300); do
      port=$(sed -n 's|.*\\[http://127.0.0.1:\\([0-9]*\\)/\\].*|\\1|p' "$folder/log")
      [ -z "$port" ] || break
      sleep 0.1
    done
    printf '%s\\n' "${port:-no port}"
    cat > /dev/null
    kill "$pid"
    wait "$pid"
    rm -rf "$folder"
    """

  /// An empty bucket that no other test uses.
  ///
  /// - Returns: its name, and the folder of its objects.
  package func makeBucket() throws -> (name: String, folder: URL) {
    let name = "bucket-\(count.add(1, ordering: .relaxed).newValue)"
    return (name, folder.appending(path: "data/\(name)"))
  }

  /// The address of a bucket on this server.
  ///
  /// - Parameter port: that of a proxy in front of the server, if there is one.
  package func address(of bucket: String, port: Int? = nil) -> String {
    "s3://\(bucket)/some/Prefix_1?endpoint=http://127.0.0.1:\(port ?? self.port)&path-style=yes"
  }
}
