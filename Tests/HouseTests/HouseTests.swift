import Foundation
import Testing

/// Project rules that a text search can check.
struct HouseTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private struct Source {
    let path: String
    let lines: [Substring]

    /// The module, such as `SQLite` for `Sources/SQLite/Row.swift`.
    var room: Substring { path.split(separator: "/").dropFirst().first ?? "" }
  }

  private static func sources(_ folders: String...) throws -> [Source] {
    try folders.flatMap { folder in
      let files = FileManager.default.enumerator(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      return try (files?.compactMap { $0 as? URL } ?? [])
        .filter { $0.pathExtension == "swift" }
        .map { file in
          let text = try String(contentsOf: file, encoding: .utf8)
          return Source(
            path: String(file.path.dropFirst(root.path.count + 1)),
            lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }
  }

  @Test func `the source files are found`() throws {
    #expect(try Self.sources("Sources").count > 50)
  }

  @Test func `a C library is imported only by its own module`() throws {
    let owners: [Substring: Set<Substring>] = [
      "CMicroHTTPD": ["HTTPDaemon"], "CSQLite": ["SQLite"], "CPQ": ["PostgreSQL"],
      "CVips": ["Imaging"],
      "CPangoCairo": ["Imaging"], "CFontconfig": ["Imaging"], "CTurboJPEG": ["Imaging"],
      "CSodium": ["Crypto"],
      "CGnuTLS": ["Crypto", "HTTPDaemon"], "CYAML": ["YAML"], "CJansson": ["JSON"],
      "CZlib": ["Archive"], "CCurl": ["Curl"], "CExpat": ["Objects"], "CAssets": ["mememe"],
    ]
    for source in try Self.sources("Sources") {
      for line in source.lines where line.contains("import C") {
        guard let module = line.split(separator: " ").last, let rooms = owners[module] else {
          continue
        }
        #expect(rooms.contains(source.room), "\(source.path) imports \(module)")
      }
    }
  }

  @Test func `only the drawing helper and the gallery import Imaging`() throws {
    let rooms = Set(
      try Self.sources("Sources").filter { source in
        source.lines.contains { $0.hasSuffix("import Imaging") }
      }.map(\.room))
    #expect(rooms == ["DrawingHelper", "gallery"])
  }

  @Test func `modules import only their allowed dependencies`() throws {
    let allowed: [Substring: Set<Substring>] = [
      "Arguments": [], "Files": [], "Bytes": ["Files"], "YAML": [], "Curl": ["Bytes"],
      "JSON": ["Bytes"],
      "HTTP": ["Bytes"], "Crypto": ["Bytes", "Files"], "Metrics": ["Bytes"], "Archive": ["Bytes"],
      "SQL": ["Bytes"], "SQLite": ["Bytes", "Metrics", "SQL"],
      "PostgreSQL": ["Bytes", "SQL"], "Imaging": ["Bytes"],
      "Memes": ["Bytes", "Metrics"],
      "HTTPDaemon": ["Bytes", "HTTP"],
      "Mail": ["Bytes", "Curl", "Files", "Memes"],
      "OpenID": ["Bytes", "Crypto", "Curl", "JSON", "Memes"],
      "Objects": ["Bytes", "Curl", "Metrics"],
      "Storage": ["Bytes", "Files", "Memes", "Objects", "PostgreSQL", "SQL", "SQLite"],
      "Rendering": ["Bytes", "Memes", "Metrics"],
      "DrawingHelper": ["Bytes", "Imaging", "Memes", "Rendering"],
      "Services": [
        "Bytes", "Crypto", "Memes", "Metrics", "Objects", "OpenID", "Rendering", "Storage",
        "Outgoing",
      ],
      "Outgoing": ["Bytes", "Curl", "HTTP"],
      "API": [
        "Archive", "Bytes", "HTTP", "JSON", "Memes", "Metrics", "Services", "Storage",
      ],
      "MemeMeClient": ["Bytes", "Curl", "Files", "SQL", "SQLite"],
    ]
    let executables: Set<Substring> = ["mememe", "mememe-client", "gallery"]
    let rooms = Set(allowed.keys).union(executables)
    for source in try Self.sources("Sources") where !executables.contains(source.room) {
      guard let below = allowed[source.room] else {
        Issue.record("\(source.room) is not in the table")
        continue
      }
      for line in source.lines {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index <= 1, words.count == index + 2,
          rooms.contains(words[index + 1])
        else { continue }
        #expect(below.contains(words[index + 1]), "\(source.path): \(line)")
      }
    }
  }

  @Test func `no file has more than 500 lines`() throws {
    for source in try Self.sources("Sources", "Tests", "Benchmarks", "Fuzz") {
      #expect(source.lines.count <= 500, "\(source.path) has \(source.lines.count)")
    }
  }

  @Test func `every unchecked concurrency annotation has its reason above`() throws {
    for source in try Self.sources("Sources") {
      for (index, line) in source.lines.enumerated()
      where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
        let above = index > 0 ? source.lines[index - 1].drop { $0 == " " } : ""
        #expect(above.hasPrefix("//"), "\(source.path):\(index + 1)")
      }
    }
  }

  @Test func `no source uses an intentional trap`() throws {
    for source in try Self.sources("Sources") {
      for (index, line) in source.lines.enumerated() {
        let isComment = line.drop { $0 == " " }.hasPrefix("//")
        for trap in ["fatalError(", "try!", "as!", "preconditionFailure("] where !isComment {
          #expect(!line.contains(trap), "\(source.path):\(index + 1)")
        }
      }
    }
  }

  /// On Linux, such a wait counts by the wall clock: if that is set back, it takes longer by as much.
  @Test func `the daemon waits for no semaphore with a timeout`() throws {
    for source in try Self.sources("Sources") where source.room == "HTTPDaemon" {
      for (index, line) in source.lines.enumerated() {
        #expect(!line.contains("wait(timeout:"), "\(source.path):\(index + 1)")
      }
    }
  }

  @Test func `the index of decisions lists every page with its title`() throws {
    let folder = Self.root.appending(path: "docs/decisions")
    let index = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0 != "README.md" }.sorted()
    #expect(names.count > 70)
    let lines = try names.map { name in
      let page = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let title = page.prefix { $0 != "\n" }.drop { $0 != " " }.dropFirst()
        .drop { $0 != " " }.dropFirst()
      return "- [\(name.prefix(4))](\(name)): \(title)"
    }
    #expect(index.split(separator: "\n").filter { $0.hasPrefix("- ") }.map(String.init) == lines)
  }

  @Test func `every source file and test that a document names exists`() throws {
    let names = Set(
      try Self.sources("Sources", "Tests", "Benchmarks", "Fuzz").map {
        $0.path.split(separator: "/").last ?? ""
      } + ["Package.swift"])
    let rooms = Set(
      try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/Sources"))
    let guides = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.path + "/docs/guides")
    let pages = [
      "architecture", "threat-model", "operations", "releasing", "adding-a-feature", "data-model",
      "glossary", "support", "settings",
    ]
    for page in pages + guides.map({ "guides/\($0.dropLast(3))" }) {
      let text = try String(
        contentsOf: Self.root.appending(path: "docs/\(page).md"), encoding: .utf8)
      for line in text.split(separator: "\n") {
        // The parts between backticks are at the odd positions.
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        for name in stride(from: 1, to: parts.count, by: 2).map({ parts[$0] }) {
          guard !name.contains(" "), !name.contains("*"), let last = name.split(separator: "/").last
          else { continue }
          if name.hasSuffix(".swift") {
            // A failure must not list all names.
            let isThere = names.contains(last)
            #expect(isThere, "\(page).md names \(name)")
          }
          if name.contains("/"), let room = name.split(separator: "/").first.map(String.init),
            rooms.contains(room)
          {
            let path = Self.root.path + "/Sources/\(name)"
            #expect(FileManager.default.fileExists(atPath: path), "\(page).md names \(name)")
          }
          if ["migrations/", "script/", "Tests/"].contains(where: { name.hasPrefix($0) }) {
            let path = Self.root.path + "/\(name)"
            #expect(FileManager.default.fileExists(atPath: path), "\(page).md names \(name)")
          }
          if name.hasSuffix("Tests"), !name.contains("/") {
            let isThere =
              names.contains("\(name).swift")
              || FileManager.default.fileExists(atPath: Self.root.path + "/Tests/\(name)")
            #expect(isThere, "\(page).md names \(name)")
          }
        }
      }
    }
  }
}
