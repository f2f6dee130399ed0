import Foundation
import Memes
import Support
import Testing

/// The curl commands in the README and in docs/guides.
struct ReadmeTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  /// The paths of the documents whose commands run, from the root of the project.
  private static let pages: [String] = {
    let guides = FileManager.default.enumerator(atPath: root.appending(path: "docs/guides").path)
    let names = (guides?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }
    return ["README.md"] + names.sorted().map { "docs/guides/\($0)" }
  }()

  /// The settings that a page needs.
  private static let settings = [
    "docs/guides/connections.md": [
      "MEMEME_CONNECTIONS": "members", "MEMEME_CONNECTIONS_ALLOW": "127.0.0.0/8",
    ]
  ]

  @Test func `the README links every guide`() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    #expect(Self.pages.count > 8)
    for page in Self.pages.dropFirst() { #expect(readme.contains("(\(page))"), "\(page)") }
  }

  @Test(arguments: pages)
  func `every curl command of a page works, in order, on a new server`(page: String) async throws {
    let commands = try ReadmeReader.commands(in: Self.root.appending(path: page))
    #expect(commands.count > 1)
    try await withDataFolder { folder in
      for name in ["photo.jpg", "me.jpg"] {
        try Data(try Fixture.photo.bytes).write(to: folder.appending(path: name))
      }
      let server = try await ServerProcess(
        data: folder.appending(path: "data"), settings: Self.settings[page] ?? [:])
      var reader = ReadmeReader(folder: folder, port: server.port)
      do {
        // The accounts that pages mention, and a session if the page does not make one itself.
        let signsIn = commands.contains { ReadmeReader.path(of: $0) == "/sessions" }
        for name in ["bob", "mal"] + (signsIn ? [] : ["ada"]) {
          try reader.type(
            """
            curl --json '{"username": "\(name)", "email": "\(name)@example.org", "password": "a dog on a laptop"}' \
            http://127.0.0.1:8080/users
            """)
        }
        if !signsIn {
          try reader.type(
            """
            curl --json '{"username": "ada", "password": "a dog on a laptop"}' http://127.0.0.1:8080/sessions
            """)
        }
        for command in commands { try reader.type(command) }
      } catch {
        server.send(signal: SIGKILL)
        throw error
      }
      #expect(try await server.end(by: SIGTERM) == 0)
    }
  }
}

/// Runs commands, and replaces each name in capitals with a value from an earlier response.
private struct ReadmeReader {
  struct Failure: Error {
    let command: String
    let output: String
  }

  let folder: URL
  let port: Int
  /// `ID`, `TOKEN` and the like.
  private var values: [String: String] = [:]
  /// The latest anonymous meme.
  private var anonymous: String?
  private var signIn: String?
  /// For `DIGITS` and `RECOVERY`, each of which is good once.
  private var app: TestApp?
  private var recoveryCodes: [String] = []

  init(folder: URL, port: Int) { (self.folder, self.port) = (folder, port) }

  /// The commands that begin with `curl`, with the variables set before them.
  static func commands(in page: URL) throws -> [String] {
    var (commands, command, preparation): ([String], String, String) = ([], "", "")
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      guard line.hasPrefix("    ") else { continue }
      command += line.dropFirst(4) + "\n"
      // A command continues after a backslash or inside a quotation.
      if line.hasSuffix("\\") || !command.count(where: { $0 == "'" }).isMultiple(of: 2) { continue }
      if command.contains(/^[a-z]+=/) { preparation += command }
      if command.hasPrefix("curl") {
        commands.append(preparation + command)
        preparation = ""
      }
      command = ""
    }
    return commands
  }

  /// The path and the query of the URL in a command.
  static func path(of command: String) -> Substring? {
    command.firstMatch(of: /127\.0\.0\.1:8080(\/[^' \n]*)/)?.1
  }

  /// - Throws: `Failure` if the response is an error.
  mutating func type(_ command: String) throws {
    if command.contains("DELETETOKEN") { values["ID"] = anonymous }
    if command.contains("DIGITS") { values["DIGITS"] = try app?.code(at: .now()) }
    if command.contains("RECOVERY") { values["RECOVERY"] = recoveryCodes.popLast() }
    let typed = command.replacing("127.0.0.1:8080", with: "127.0.0.1:\(port)")
      .replacing(/\b[A-Z]{2,}\b/) { values[String($0.output)] ?? String($0.output) }
    let (code, output) = try run("curl() { command curl -sS --fail-with-body \"$@\"; }\n\(typed)")
    // A stream ends at its `--max-time`, with the exit code 28.
    guard code == 0 || code == 28 && command.contains("--max-time") else {
      throw Failure(command: typed, output: output)
    }
    guard let path = Self.path(of: command) else { return }
    if path == "/sessions/current", let signIn {
      try type(signIn)
    } else if let json = try? JSON(parsing: Array(output.utf8)) {
      note(json, to: path, by: command)
    }
  }

  private mutating func note(_ json: JSON, to path: Substring, by command: String) {
    if path == "/sessions", let token = json.token.text {
      (values["TOKEN"], signIn) = (token, command)
    }
    if let cursor = json.cursor.text { values["CURSOR"] = cursor }
    if let secret = json.secret.text { app = TestApp(secret) }
    if json.recoveryCodes != .null {
      recoveryCodes = json.recoveryCodes.elements.compactMap(\.text)
    }
    guard let id = json.id.text else { return }
    switch path {
    case "/memes":
      values["ID"] = id
      if let token = json.deleteToken.text { (values["DELETETOKEN"], anonymous) = (token, id) }
    case "/uploads": values["UPLOAD"] = id
    case "/templates": values["TEMPLATE"] = id
    case "/admin/backups": values["BACKUP"] = id
    case "/users/me/tokens":
      values["ACCESS"] = json.token.text
      values["ACCESSID"] = id
    case "/invitations":
      values["INVITATION"] = id
      values["CODE"] = json.code.text
    case "/connections": values["CONNECTION"] = id
    case _ where path.hasSuffix("/mappings"): values["MAPPING"] = id
    case _ where path.hasSuffix("/comments"): values["COMMENT"] = id
    default: break
    }
  }

  private func run(_ command: String) throws -> (code: Int32, output: String) {
    let (process, output) = (Process(), Pipe.alone())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, output)
    let end = try process.startAlone()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    end.wait()
    return (process.terminationStatus, text)
  }
}
