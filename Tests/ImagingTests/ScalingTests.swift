import Imaging
import Testing

struct ScalingTests {
  private func picture(
    width: Int, height: Int, channels: Int = 3, _ value: (Int, Int, Int) -> UInt8
  ) -> PixelBuffer {
    let picture = PixelBuffer()
    picture.reshape(width: width, height: height, channels: channels)
    let pixels = picture.pixels
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels {
          pixels[(y * width + x) * channels + channel] = value(x, y, channel)
        }
      }
    }
    return picture
  }

  private func scaled(_ picture: PixelBuffer, toFit edge: Int) throws -> PixelBuffer {
    let target = PixelBuffer()
    try picture.scale(toFit: edge, into: target)
    return target
  }

  @Test(arguments: [
    (2725, 2225, 512, 418), (3000, 1000, 512, 171), (100, 3000, 17, 512), (1024, 512, 512, 256),
    (1025, 700, 512, 350), (600, 450, 512, 384), (512, 512, 512, 512), (100, 80, 100, 80),
    (5000, 3, 512, 1), (12_000, 1, 512, 1), (513, 1, 512, 1),
  ])
  func `a picture is fitted in proportion and never enlarged`(
    width: Int, height: Int, newWidth: Int, newHeight: Int
  ) throws {
    let picture = PixelBuffer()
    picture.reshape(width: width, height: height, channels: 3)
    picture.pixels.initializeMemory(as: UInt8.self, repeating: 77)
    let small = try scaled(picture, toFit: 512)
    #expect((small.width, small.height) == (newWidth, newHeight))
  }

  @Test(arguments: [(0, 0), (255, 255), (1, 254), (128, 77)])
  func `a flat color stays the same up to the edges`(red: UInt8, blue: UInt8) throws {
    for (width, height) in [(325, 225), (130, 99), (70, 65), (4000, 32)] {
      let flat = picture(width: width, height: height) { _, _, channel in channel == 0 ? red : blue
      }
      let small = try scaled(flat, toFit: 32)
      for (index, byte) in small.pixels.enumerated() {
        let expected = index % 3 == 0 ? red : blue
        guard abs(Int(byte) - Int(expected)) > 1 else { continue }
        Issue.record("\(width)×\(height): byte \(index) is \(byte), not \(expected)")
        break
      }
    }
  }

  @Test func `white stays white within a level at any factor`() throws {
    let white = PixelBuffer()
    // With a factor near 2, two rows that count by half are both rounded up.
    for height in Array(1000...1060) + [683, 769, 1366, 1601] {
      white.reshape(width: 40, height: height, channels: 3)
      white.pixels.initializeMemory(as: UInt8.self, repeating: 255)
      for edge in [500, 512, height / 2] {
        let small = try scaled(white, toFit: edge)
        #expect(small.pixels.allSatisfy { $0 >= 254 }, "\(height) rows to \(edge)")
      }
    }
  }

  @Test(arguments: [
    (350, 280, 190), (240, 180, 80), (197, 213, 41), (133, 300, 21), (177, 100, 9), (320, 200, 250),
  ])
  func `a pixel is the mean of the area that it covers`(width: Int, height: Int, edge: Int) throws {
    let source = picture(width: width, height: height) { x, y, channel in
      UInt8(truncatingIfNeeded: (x &* 37 ^ y &* 91 ^ channel &* 13) &+ (x / 7) &* (y / 5))
    }
    let small = try scaled(source, toFit: edge)
    var worst = 0.0
    for row in stride(from: 0, to: small.height, by: 7) {
      for column in stride(from: 0, to: small.width, by: 5) {
        let expected = mean(source, column, of: small.width, row, of: small.height)
        let index = (row * small.width + column) * 3
        worst = max(worst, abs(Double(small.pixels[index]) - expected))
      }
    }
    #expect(worst < 2)
  }

  /// The mean of the red channel, computed with a simple, slow method.
  private func mean(
    _ source: PixelBuffer, _ column: Int, of columns: Int, _ row: Int, of rows: Int
  ) -> Double {
    let (x, y) = (Double(source.width) / Double(columns), Double(source.height) / Double(rows))
    let (left, right) = (Double(column) * x, Double(column + 1) * x)
    let (top, bottom) = (Double(row) * y, Double(row + 1) * y)
    var (sum, weight) = (0.0, 0.0)
    for sourceRow in Int(top)..<min(source.height, Int(bottom.rounded(.up))) {
      let high = min(bottom, Double(sourceRow + 1)) - max(top, Double(sourceRow))
      for sourceColumn in Int(left)..<min(source.width, Int(right.rounded(.up))) {
        let share = (min(right, Double(sourceColumn + 1)) - max(left, Double(sourceColumn))) * high
        sum += share * Double(source.pixels[(sourceRow * source.width + sourceColumn) * 3])
        weight += share
      }
    }
    return sum / weight
  }

  @Test func `invisible colors do not bleed into their neighbors`() throws {
    // Opaque white on the left, transparent red on the right.
    let source = picture(width: 600, height: 60, channels: 4) { x, _, channel in
      x < 299 ? 255 : channel == 0 ? 255 : 0
    }
    let small = try scaled(source, toFit: 100)
    for column in 0..<small.width {
      let pixel = small.pixels[4 * column..<4 * column + 4].map { Int($0) }
      if pixel[3] > 20 { #expect(pixel[1] > 240 && pixel[2] > 240, "column \(column): \(pixel)") }
    }
  }
}
