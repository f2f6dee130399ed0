import Foundation
import Support
import Testing

/// The password prompt of `mememe user create` on a terminal.
struct PasswordPromptTests {
  private struct Seen: Decodable {
    let code: Int32
    /// Everything that the terminal showed.
    let shown: String
    /// Whether the terminal echoes input and sends signals after the command ends.
    let echoes: Bool
    let signals: Bool
  }

  /// Types one text after each prompt, on a new terminal.
  private func create(
    _ name: String, in folder: URL, typing texts: [String]
  ) async throws -> Seen {
    let command = [
      ServerProcess.executable.path, "user", "create", name, "--email", "\(name)@example.org",
      "--data", folder.path,
    ]
    let arguments = try [command, texts].map {
      String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
    }
    return try await blocking {
      try JSONDecoder().decode(
        Seen.self, from: try Python.run(Self.program, arguments[0], arguments[1]))
    }
  }

  private static let program = """
    import fcntl, json, os, pty, select, subprocess, sys, termios
    command, texts = json.loads(sys.argv[1]), json.loads(sys.argv[2])
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        env={k: v for k, v in os.environ.items() if not k.startswith("MEMEME_")})
    shown, asked = b"", 0
    while True:
        ready = select.select([master], [], [], 0.05)[0]
        if ready:
            shown += os.read(master, 4096)
        elif process.poll() is not None:
            break
        if shown.count(b": ") > asked < len(texts):
            os.write(master, texts[asked].encode())
            asked += 1
    flags = termios.tcgetattr(slave)[3]
    json.dump({
        "code": process.returncode, "shown": shown.decode(),
        "echoes": bool(flags & termios.ECHO), "signals": bool(flags & termios.ISIG)}, sys.stdout)
    """

  @Test func `a password is prompted for twice and never echoed, and the terminal is restored`()
    async throws
  {
    try await withDataFolder { folder in
      #expect(try await ServerProcess.run(["migrate", "--data", folder.path]).code == 0)
      let password = TestServer.password
      let made = try await create("ada", in: folder, typing: ["\(password)\n", "\(password)\n"])
      #expect(made.code == 0, "\(made.shown)")
      #expect(
        made.shown == "Password: \r\nAgain: \r\nCreated the account ada with role member.\r\n")
      #expect(made.echoes && made.signals)

      for (typed, said) in [
        (["\(password)\n", "another one\n"], "the passwords do not match"),
        (["\u{3}"], "no password given"), (["half\u{3}"], "no password given"),
        (["\(password)\n", "\u{3}"], "no password given"),
        (["\u{4}"], "no password given"), (["\n"], "no password given"),
      ] {
        let refused = try await create("bob", in: folder, typing: typed)
        #expect(refused.code == 1, "\(typed)")
        #expect(refused.shown.hasSuffix("mememe: \(said)\r\n"), "\(refused.shown)")
        #expect(!refused.shown.contains("cat") && !refused.shown.contains("half"))
        #expect(refused.echoes && refused.signals)
      }
      let list = try await ServerProcess.run(["user", "list", "--data", folder.path])
      #expect(list.output == "ada\tmember\tactive\tada@example.org\n")
      try await withServer(in: folder) { try await $0.signIn("ada").expect(201) }
    }
  }
}
