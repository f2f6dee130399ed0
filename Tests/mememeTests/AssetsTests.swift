import Bytes
import Foundation
import Memes
import Testing
import mememe

@Suite struct AssetsTests {
  private let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  @Test(arguments: ["migrations", "migrations/postgres"])
  func `the binary contains every migration, in order, byte for byte`(_ path: String) throws {
    let folder = root.appending(path: path)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".sql") }.sorted()
    let migrations = path == "migrations" ? Assets.migrations : Assets.serverMigrations
    #expect(migrations.map(\.name) == names)
    for (name, sql) in migrations {
      #expect(try Data(contentsOf: folder.appending(path: name)) == Data(sql.utf8), "\(name)")
    }
  }

  @Test func `the binary contains the contract, byte for byte`() throws {
    let contract = try Data(contentsOf: root.appending(path: "openapi.yaml"))
    #expect(Assets.openAPI.withUnsafeBytes { Data($0) } == contract)
    for (name, bytes) in [
      ("openapi.json", Assets.openAPIJSON), ("openapi-3.0.yaml", Assets.openAPI30),
    ] {
      let file = try Data(contentsOf: root.appending(path: "openapi/generated/\(name)"))
      #expect(bytes.withUnsafeBytes { Data($0) } == file, "\(name)")
    }
  }

  /// If this fails, a file was added or removed without running `script/embed`.
  @Test func `the binary contains the starter templates, byte for byte`() throws {
    let folder = root.appending(path: "templates")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix("/image.png") || $0.hasSuffix("/template.json") }.sorted()
    #expect(Assets.templateFiles.map(\.path) == paths && paths.count == 32)
    for (path, bytes) in Assets.templateFiles {
      let file = try Data(contentsOf: folder.appending(path: path))
      #expect(bytes.withUnsafeBytes { Data($0) } == file, "\(path)")
    }
  }

  @Test func `the binary contains the names of emoji, sorted and unique`() throws {
    let file = try Data(contentsOf: root.appending(path: "wordlists/emoji-names.txt"))
    #expect(Assets.emojiNames.withUnsafeBytes { Data($0) } == file)
    let reader = EmojiNames(Assets.emojiNames)
    var names: [Data.SubSequence] = []
    for line in file.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: "\t"))
      #expect(parts.count == 2)
      names += parts.prefix(1)
      let name = String(decoding: parts[0], as: UTF8.self)
      #expect(
        reader.replacingNames(in: ":\(name):") == String(decoding: parts[1], as: UTF8.self))
    }
    #expect(names.count > 5000)
    #expect(zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }

  @Test func `the binary contains the common passwords, sorted and unique`() throws {
    let file = try Data(contentsOf: root.appending(path: "wordlists/common-passwords.txt"))
    #expect(Assets.commonPasswords.withUnsafeBytes { Data($0) } == file)
    let lines = file.split(separator: UInt8(ascii: "\n"))
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }
}
