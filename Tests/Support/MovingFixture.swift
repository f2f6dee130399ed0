import Foundation

/// A small picture that moves, and its frames as Pillow shows them; `script/fixtures` makes both. All are 64×48.
package enum MovingFixture: String, CaseIterable, Sendable {
  /// Opaque frames, stored as what differs.
  case whole = "whole.gif"
  /// Transparent frames that each begin anew. Does not say that it is played again.
  case once = "once.gif"
  /// Frames that stay, go, or give way to what was before.
  case disposal = "disposal.gif"
  /// Frames of several sizes and places, of which none covers the picture.
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

  /// How often it plays; 0 is for ever.
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
