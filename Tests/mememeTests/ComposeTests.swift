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
    // Not names: nginx does not start with the name of a server that is down.
    let addresses = try fixedAddresses
    for server in servers {
      let address = try #require(addresses[String(server)])
      #expect(configuration.ranges(of: "server \(address):8080 ").count == 2)
    }
    #expect(configuration.matches(of: /(?m)^    server .*:8080\b/).count == 2 * servers.count)
  }

  /// Otherwise all clients have the address of the network's gateway, and share its limits.
  @Test func `nginx takes the address of a client from a proxy on the machine`() throws {
    let gateway = try #require(try text.firstMatch(of: /gateway: ([0-9.]+)/)?.output.1)
    let configuration = try String(
      contentsOf: Self.root.appending(path: "packaging/compose/nginx.conf"), encoding: .utf8)
    #expect(configuration.contains("\n    set_real_ip_from \(gateway);\n"))
    #expect(configuration.contains("\n    real_ip_header X-Forwarded-For;\n"))
    // A client elsewhere could have the address of the gateway too.
    #expect(try text.matches(of: /ports:/).count == 1)
    #expect(try text.contains("\n    ports: [\"127.0.0.1:8080:80\"]\n"))
    let nginx = try #require(try fixedAddresses["nginx"])
    #expect(try text.contains("\n    MEMEME_TRUSTED_PROXIES: \(nginx)\n"))
  }

  /// Docker gives a free address to a container without a fixed one.
  @Test func `no other container gets a fixed address`() throws {
    #expect(try text.contains("ip_range: 172.30.77.128/25"))
    let addresses = try fixedAddresses
    #expect(addresses.count == 3)
    for address in addresses.values {
      let last = try #require(address.split(separator: ".").last.flatMap { Int($0) })
      #expect(last < 128)
    }
  }

  @Test func `the file with the passwords is neither in the repository nor in the image`() throws {
    for (name, line) in [(".gitignore", "/.env"), (".dockerignore", ".env")] {
      let ignored = try String(contentsOf: Self.root.appending(path: name), encoding: .utf8)
      #expect(ignored.split(separator: "\n").contains { $0 == line }, "\(name)")
    }
  }

  /// The addresses of the services that have a fixed one.
  private var fixedAddresses: [String: String] {
    get throws {
      let services = try text.matches(
        of: /(?m)^  ([a-z0-9-]+):\n(?:    .*\n)*?    networks: .*ipv4_address: ([0-9.]+)/)
      return Dictionary(
        uniqueKeysWithValues: services.map { (String($0.output.1), String($0.output.2)) })
    }
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
