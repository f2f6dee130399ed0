import Foundation

/// A small moving picture, and its frames as Pillow shows them. `script/fixtures` makes both. All are 64×48.
package enum MovingFixture: String, CaseIterable, Sendable {
  /// Opaque frames, stored as differences.
  case whole = "whole.gif"
  /// Transparent frames that each start with an empty picture. The file does not say that it repeats.
  case once = "once.gif"
  /// Frames that stay, are cleared, or are replaced by the previous frame.
  case disposal = "disposal.gif"
  /// Frames of several sizes and positions, none of which covers the picture.
  case patches = "patches.gif"
  case wholeWebP = "still-partly.webp"
  case seeThroughWebP = "see-through.webp"

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/Moving")

  package var bytes: [UInt8] { get throws { try Self.read(rawValue) } }

  /// A PNG of the frames, one below the other.
  package var expectedBytes: [UInt8] { get throws { try Self.read("\(rawValue).expected.png") } }

  /// In milliseconds.
  package var delays: [Int] {
    switch self {
    case .whole, .disposal, .wholeWebP: [50, 100, 30, 200, 70]
    case .once: [50, 100, 30, 200]
    case .patches: [50, 120, 30, 200]
    case .seeThroughWebP: [15, 33, 250, 70]
    }
  }

  /// How often it plays; 0 means forever.
  package var plays: Int {
    switch self {
    case .whole, .wholeWebP: 0
    case .once: 1
    case .disposal, .patches, .seeThroughWebP: 3
    }
  }

  private static func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }
}
