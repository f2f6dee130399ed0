import Foundation
import Support
import Testing

/// The command `mememe-client` over a store of its own, one process for each call.
struct ClientCommand: Sendable {
  let store: URL
  let server: String

  struct Ending: Sendable {
    let code: Int32
    let output: String
    let complaints: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// - Parameters:
  ///   - input: what it may read.
  ///   - milliseconds: after which it is killed, wherever it is.
  func run(
    _ arguments: String..., password: String? = nil, input: String = "",
    killedAfter milliseconds: Int? = nil
  ) async throws -> Ending {
    try await run(arguments, password: password, input: input, killedAfter: milliseconds)
  }

  func run(
    _ arguments: [String], password: String? = nil, input: String = "",
    killedAfter milliseconds: Int? = nil
  ) async throws -> Ending {
    let process = Process()
    let (output, complaints) = (Pipe.alone(), Pipe.alone())
    // Not a pipe: whoever does not read it may be gone before it is written.
    let typed = FileManager.default.temporaryDirectory.appending(path: "typed-\(UUID().uuidString)")
    try Data(input.utf8).write(to: typed)
    defer { try? FileManager.default.removeItem(at: typed) }
    process.executableURL = ServerProcess.product("mememe-client")
    process.arguments = ["--store", store.path, "--server", server] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["MEMEME_PASSWORD"] = password
    process.environment = environment
    (process.standardOutput, process.standardError) = (output, complaints)
    process.standardInput = try FileHandle(forReadingFrom: typed)
    let end = try process.startAlone()
    if let milliseconds {
      try await Task.sleep(for: .milliseconds(milliseconds))
      kill(process.processIdentifier, SIGKILL)
    }
    return try await blocking {
      let text = output.fileHandleForReading.readDataToEndOfFile()
      let told = complaints.fileHandleForReading.readDataToEndOfFile()
      end.wait()
      return Ending(
        code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
        complaints: String(decoding: told, as: UTF8.self))
    }
  }

  /// What `list --json` or `drafts --json` writes.
  func json(_ list: String) async throws -> [JSON] {
    try JSON(parsing: Array(try await run(list, "--json").output.utf8)).elements
  }

  /// The memes as they are here, or on the server.
  static func looks(_ memes: [JSON]) -> [String] {
    memes.map { meme in
      "\(meme.id.text ?? "") \(meme.version.int ?? 0) \(meme.top.text ?? "") \(meme.bottom.text ?? "")"
    }
  }
}

/// A server with somebody, and stores of theirs.
struct CommandScene: Sendable {
  let server: TestServer
  let folder: URL
  let token: String

  static let username = "grumpy_cat"

  func command(_ name: String) -> ClientCommand {
    ClientCommand(
      store: folder.appending(path: name), server: "http://127.0.0.1:\(server.port)")
  }

  /// A store where they are signed in.
  func signedIn(_ name: String) async throws -> ClientCommand {
    let command = command(name)
    let ending = try await command.run(
      "login", Self.username, password: TestServer.password)
    #expect(ending.code == 0, "\(ending.complaints)")
    return command
  }

  var picture: String {
    get throws {
      let file = folder.appending(path: "picture.png")
      try Data(Fixture.opaqueAlpha.bytes).write(to: file)
      return file.path
    }
  }

  /// The memes on the server, newest first.
  func memes() async throws -> [JSON] {
    try await server.get("/memes?author=me&limit=100", token: token).expect(200).json.items.elements
  }
}

func withCommandScene(_ body: (CommandScene) async throws -> Void) async throws {
  try await withServer { server in
    let token = try await server.signUp(CommandScene.username)
    try await withDataFolder { folder in
      try await body(CommandScene(server: server, folder: folder, token: token))
    }
  }
}
