import Eventually
import Foundation
import Support
import Testing
import Wire

/// `script/cluster`, with which people try several servers.
struct ClusterScriptTests {
  /// What the script prints about a process.
  private struct Part {
    let port: UInt16?
    let processID: Int32
  }

  @Test(
    .enabled(if: NginxServer.isInstalled, "nginx is not installed: script/setup --test installs it")
  )
  func `script/cluster serves through nginx while a server is dead, and SIGTERM leaves nothing`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (script, output) = (Process(), Pipe.alone())
    script.executableURL =
      URL(filePath: #filePath).appending(path: "../../../script/cluster")
      .standardizedFileURL
    script.arguments = [
      "--servers", "2", "--port", "0", "--program", ServerProcess.executable.path,
    ]
    script.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": folder.path, "MEMEME_RENDER_WORKERS": "1", "MEMEME_DATABASE_CONNECTIONS": "4"]
    ) { $1 }
    (script.standardOutput, script.standardError) = (output, output)
    let end = try script.startAlone()
    let text = try await blocking { Self.report(from: output.fileHandleForReading) }
    let parts = Self.parts(in: text)
    let nginx = try #require(parts["nginx"]?.port, "\(text)")
    let servers = try ["server 1", "server 2"].map { try #require(parts[$0]) }

    let form = FormBody([.file("image", try Fixture.photo.bytes), .field("top", "here")])
    func send(_ request: [UInt8], to port: UInt16?) async throws -> Answer {
      let client = try WireClient(port: port)
      await client.send(request)
      return Answer(try await client.response())
    }
    func get(_ path: String, from port: UInt16?) async throws -> Answer {
      try await send(Array("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n".utf8), to: port)
    }
    let made = try await send(ServerProcess.upload(form), to: nginx).expect(201)
    let path = try #require(made["location"])
    for server in servers { try await get(path, from: server.port).expect(200) }
    // nginx has two locations for uploads, and would redirect this one if it had only the second.
    let begun = try await send(
      Array(
        """
        POST /uploads HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Length: 3\r
        Content-Length: 0\r\n\r\n
        """.utf8), to: nginx)
    begun.expect(201)

    kill(servers[0].processID, SIGKILL)
    try await eventually("the killed server refuses connections") {
      (try? WireClient(port: servers[0].port)) == nil
    }
    for _ in 0..<8 { try await get(path, from: nginx).expect(200) }
    try await send(ServerProcess.upload(form), to: nginx).expect(201)

    // Without a database, nginx soon finds no server, and its own response is a problem document too.
    kill(try #require(parts["postgresql"]).processID, SIGQUIT)
    try await eventually("nginx returns 503") {
      let answer = try await get(path, from: nginx)
      if answer.status == 200 { return false }
      let isNginx = answer.json.code.text == "overloaded"
      answer.expect(503, problem: isNginx ? "overloaded" : "storage-busy")
      #expect(answer["retry-after"] == "2")
      return isNginx
    }

    script.terminate()
    try await blocking { end.wait() }
    #expect(script.terminationStatus == 0)
    for (name, part) in parts { #expect(kill(part.processID, 0) == -1, "\(name) still runs") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    try FileManager.default.removeItem(at: folder)
  }

  /// Reads the lines that the script prints once all of it runs, or why it ended before.
  private static func report(from output: FileHandle) -> String {
    var text = ""
    while !text.contains("\nlogs "), case let piece = output.availableData, !piece.isEmpty {
      text += String(decoding: piece, as: UTF8.self)
    }
    return text
  }

  /// Parses lines such as `server 1    http://127.0.0.1:8081  pid 123`.
  private static func parts(in text: String) -> [String: Part] {
    var parts: [String: Part] = [:]
    for match in text.matches(of: /(?m)^(\S+(?: \d)?) +\S+?(?::(\d+))?  pid (\d+)$/) {
      guard let processID = Int32(match.3) else { continue }
      parts[String(match.1)] = Part(port: match.2.flatMap { UInt16($0) }, processID: processID)
    }
    return parts
  }
}
