import Foundation
import Testing

/// Replays the corpora of the fuzz targets. Runs in every build.
struct CorpusTests {
  private static let corpora = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpora")

  private static func inputs(of target: FuzzTarget) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: corpora.appending(path: target.name), includingPropertiesForKeys: nil)
  }

  @Test func `every corpus has its target, and every target its corpus`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpora.path)
    #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    for target in FuzzTarget.all { #expect(try Self.inputs(of: target).count > 1) }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `everything in the corpus holds`(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    for input in try Self.inputs(of: target) {
      let bytes = Array(try Data(contentsOf: input))
      #expect(throws: Never.self, "\(name)/\(input.lastPathComponent)") { try target.check(bytes) }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `so does every beginning of it, and every byte turned round`(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    for input in try Self.inputs(of: target).prefix(8) {
      var bytes = Array(try Data(contentsOf: input))
      for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) {
        #expect(throws: Never.self) { try target.check(Array(bytes[..<index])) }
        bytes[index] ^= 0xFF
        #expect(throws: Never.self, "\(name): \(bytes)") { try target.check(bytes) }
        bytes[index] ^= 0xFF
      }
    }
  }
}
