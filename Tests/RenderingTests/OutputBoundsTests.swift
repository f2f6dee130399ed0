import Memes
import Testing

@testable import DrawingHelper

struct OutputBoundsTests {
  private func bounds(_ maxEdge: Int, _ formats: OutputFormat...) throws -> OutputBounds {
    OutputBounds(formats, within: try MaxEdge(pixels: maxEdge))
  }

  @Test(
    arguments: [
      ([.jpeg], (12_000, 9000), 7478), ([.png], (12_000, 9000), 7478),
      ([.gif], (12_000, 9000), 4729),
      ([.avif], (4096, 4096), 4096), ([.png, .webp], (12_000, 9000), 4729),
      ([.webp], (65_000, 100), 16_383), ([.jpeg], (65_000, 100), 16_384), ([.jpeg], (20, 10), 20),
    ] as [([OutputFormat], (Int, Int), Int)])
  func `a format limits pixels and edges`(
    formats: [OutputFormat], size: (Int, Int), edge: Int
  ) throws {
    let bounds = OutputBounds(formats, within: try MaxEdge(pixels: 16_384))
    #expect(bounds.longestEdge(of: PixelSize(width: size.0, height: size.1)) == edge)
  }

  @Test func `the requested edge is a limit too`() throws {
    let size = PixelSize(width: 12_000, height: 9000)
    #expect(try bounds(2048, .jpeg).longestEdge(of: size) == 2048)
    #expect(try bounds(5000, .gif).longestEdge(of: size) == 4729)
  }

  @Test(
    arguments: [
      ((50, 2048), (2000, 100), 50), ((2048, 50), (2000, 100), 1000), ((10, 2048), (20, 40), 20),
      ((2048, 50), (400, 300), 67), ((1, 1), (3, 2000), 1), ((4096, 4096), (400, 300), 400),
      ((4096, 4096), (4000, 3000), 2048),
    ] as [((Int, Int), (Int, Int), Int)])
  func `width and height are limits of their own`(
    limit: (Int, Int), size: (Int, Int), edge: Int
  ) throws {
    let bounds = OutputBounds(
      [.png], within: try MaxEdge(pixels: 2048), PixelSize(width: limit.0, height: limit.1))
    #expect(bounds.longestEdge(of: PixelSize(width: size.0, height: size.1)) == edge)
    #expect(bounds.height == min(limit.1, 2048))
    #expect(!bounds.hold(PixelSize(width: 1, height: bounds.height + 1)))
  }

  @Test func `a picture with bars obeys both limits`() throws {
    let bounds = try bounds(16_384, .gif)
    #expect(bounds.hold(PixelSize(width: 4096, height: 4096)))
    #expect(!bounds.hold(PixelSize(width: 4096, height: 4097)))
    #expect(!bounds.hold(PixelSize(width: 1, height: 16_385)))
    #expect(bounds.areNearlyFilled(by: PixelSize(width: 4096, height: 4050)))
    #expect(!bounds.areNearlyFilled(by: PixelSize(width: 2048, height: 4096)))
    // Half as many pixels need 0.7 of the edge.
    #expect(bounds.edge(after: 8192, with: PixelSize(width: 8192, height: 4096)) == 5792)
  }
}
