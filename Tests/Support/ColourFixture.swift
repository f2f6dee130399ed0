import Foundation

/// A small picture of an unusual color type, and the result of a color-managed reader. `script/fixtures` makes both.
package struct ColourFixture: Sendable, CustomStringConvertible {
  /// The name of the file, such as `p3.jpg`.
  package let name: String

  package var description: String { name }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/Colour")

  package static var all: [ColourFixture] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { !$0.hasSuffix(".expected.png") }.sorted().map(ColourFixture.init(name:))
    }
  }

  package var bytes: [UInt8] { get throws { try Self.read(name) } }

  /// An 8-bit PNG in sRGB.
  package var expectedBytes: [UInt8] { get throws { try Self.read("\(name).expected.png") } }

  private static func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }
}
