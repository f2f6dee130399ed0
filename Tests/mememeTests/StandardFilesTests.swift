import Foundation
import Support
import Testing

/// Commands whose standard input, output or error is closed, or takes nothing.
struct StandardFilesTests {
  /// Runs a command by a shell script that has it as `"$@"`.
  private func run(_ script: String, _ arguments: [String]) async throws -> Int32 {
    try await ServerProcess.run(
      ["-c", script, "sh", ServerProcess.executable.path] + arguments,
      executable: URL(filePath: "/bin/sh")
    ).code
  }

  @Test(arguments: ["<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
  func `messages of a restore do not overwrite the previous database`(closed: String) async throws {
    try await withFolder { folder in
      let (data, other) = (
        folder.url.appending(path: "data"), folder.url.appending(path: "other")
      )
      for place in [data, other] { try await EarlierVersion.latest.make(in: place) }
      let arguments = ["restore", other.appending(path: "mememe.db").path, "--data", data.path]
      #expect(try await run(#"exec "$@" "# + closed, arguments) == 0)
      let point = try #require(CheckedFolder(url: data).restorePoints.first)
      #expect(try Data(contentsOf: point).starts(with: Array("SQLite format 3\0".utf8)))
      #expect(try await run(#"exec "$@" "# + closed, ["check", "--data", data.path]) == 0)
    }
  }

  #if os(Linux)
    @Test func `a command goes on if nothing takes its messages`() async throws {
      try await withFolder { folder in
        let (data, other) = (
          folder.url.appending(path: "data"), folder.url.appending(path: "other")
        )
        try await EarlierVersion.latest.make(in: data)
        for arguments in [
          ["check", "--data", data.path], ["backup", "--data", data.path],
          ["restore", data.appending(path: "mememe.db").path, "--data", other.path],
        ] {
          let code = try await run(#"exec "$@" > /dev/full 2> /dev/full"#, arguments)
          #expect(code == 0, "\(arguments)")
        }
        #expect(try await run(#"exec "$@" 2> /dev/full"#, ["no-command"]) == 2)
      }
    }

    @Test func `a command goes on if the reader of its messages has ended`() async throws {
      try await withFolder { folder in
        let data = folder.url.appending(path: "data")
        try await EarlierVersion.latest.make(in: data)
        // This process ignores SIGPIPE, and so would the command.
        let script = #"""
          code=$({ { sleep 1; env --default-signal=PIPE "$@" 2>&1; echo $? >&3; } | true; } 3>&1)
          exit "$code"
          """#
        #expect(try await run(script, ["check", "--data", data.path]) == 0)
      }
    }
  #endif
}
