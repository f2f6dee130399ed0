import Foundation
import Support
import Testing
import mememe

/// `compose.yaml`. No engine of containers is needed, or tested.
struct ComposeTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  private static let file = root.appending(path: "compose.yaml")

  private var text: String {
    get throws { try String(contentsOf: Self.file, encoding: .utf8) }
  }

  @Test(.enabled(if: RcloneServer.isWanted))
  func `the file follows the schema of Compose`() throws {
    let check = """
      import subprocess, sys
      sys.exit(subprocess.run([sys.executable, '-m', 'check_jsonschema', '--builtin-schema', 'vendor.compose-spec',
        sys.argv[1]], stdout=sys.stderr).returncode)
      """
    _ = try Python.run(check, Self.file.path)
  }

  @Test func `its settings exist`() throws {
    let used = Set(try text.matches(of: /MEMEME_[A-Z_]+(?=:)/).map { String($0.output) })
    #expect(used.count > 7)
    #expect(used.subtracting(Setting.all.map(\.variable)).isEmpty)
  }

  @Test func `nginx has the documented configuration, and all servers of the file`() throws {
    let made = try Python.run(file: Self.root.appending(path: "script/nginx.py"))
    let kept = try Data(contentsOf: Self.root.appending(path: "packaging/compose/nginx.conf"))
    #expect(made == kept, "script/nginx.py >packaging/compose/nginx.conf")
    let servers = try text.matches(of: /(?m)^  (server-\d+):\n    <<: \*server/).map(\.output.1)
    #expect(servers.count == 2)
    let configuration = String(decoding: kept, as: UTF8.self)
    for server in servers { #expect(configuration.contains("server \(server):8080")) }
  }

  /// Compose refuses to start without these.
  @Test func `the guide sets every variable of the file`() throws {
    let guide = try String(
      contentsOf: Self.root.appending(path: "docs/guides/several-servers.md"), encoding: .utf8)
    let variables = Set(try text.matches(of: /\$\{([A-Z_]+):\?/).map { String($0.output.1) })
    #expect(variables.count == 6)
    for variable in variables { #expect(guide.contains("\n    \(variable)=")) }
  }
}
