import Foundation
import Support
import Testing
import Wire

/// A server with an account, and stores of that account.
struct CommandScene: Sendable {
  let server: TestServer
  let folder: URL
  let token: String

  static let username = "grumpy_cat"

  func command(_ name: String) -> ClientProcess {
    ClientProcess(
      store: folder.appending(path: name), server: "http://127.0.0.1:\(server.port)")
  }

  /// A store that is signed in.
  func signedIn(_ name: String) async throws -> ClientProcess {
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

  /// A short form of memes, from a store or from the server.
  static func looks(_ memes: [JSON]) -> [String] {
    memes.map { meme in
      "\(meme.id.text ?? "") \(meme.version.int ?? 0) \(meme.top.text ?? "") \(meme.bottom.text ?? "")"
    }
  }

  /// The memes on the server, newest first.
  func memes() async throws -> [JSON] {
    try await server.get("/memes?author=me&limit=100", token: token).expect(200).json.items.elements
  }
}

func withCommandScene(_ body: (CommandScene) async throws -> Void) async throws {
  try await withLiveServer { server in
    let token = try await server.signUp(CommandScene.username)
    try await withDataFolder { folder in
      try await body(CommandScene(server: server, folder: folder, token: token))
    }
  }
}
