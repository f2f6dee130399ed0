import Bytes
import Testing

@testable import Imaging

/// GIF frames that are removed before the next one is drawn, in files without a transparent color.
struct RemovedFrameTests {
  private struct Frame {
    /// Left, top, width and height.
    let area: [UInt8]
    /// 0 for red, 1 for blue.
    let color: Int
    let disposal: UInt8
  }

  private static let whole = Frame(area: [0, 0, 4, 3], color: 0, disposal: 2)
  private static let part = Frame(area: [1, 1, 2, 1], color: 1, disposal: 0)

  /// A GIF of 4×3 pixels, with frames of one color each. Its background color is green.
  private func gif(_ frames: [Frame], colorBits: Int) -> Bytes {
    var file = Array("GIF89a".utf8)
    file += [4, 0, 3, 0, 0x80 | UInt8(colorBits - 1), 2, 0]
    file += [255, 0, 0, 0, 0, 255, 0, 255, 0]
    file += [UInt8](repeating: 9, count: 3 * (1 << colorBits - 3))
    for frame in frames {
      file += [0x21, 0xF9, 4, frame.disposal << 2, 10, 0, 0, 0, 0x2C]
      for number in frame.area { file += [number, 0] }
      file.append(0)
      // With a clear code before each pixel, all codes have the same length.
      var codes: [Int] = []
      for _ in 0..<Int(frame.area[2]) * Int(frame.area[3]) {
        codes += [1 << colorBits, frame.color]
      }
      codes.append(1 << colorBits + 1)
      var data: [UInt8] = []
      var (buffer, bits) = (0, 0)
      for code in codes {
        buffer |= code << bits
        bits += colorBits + 1
        while bits >= 8 {
          data.append(UInt8(buffer & 255))
          (buffer, bits) = (buffer >> 8, bits - 8)
        }
      }
      data.append(UInt8(buffer & 255))
      file += [UInt8(colorBits), UInt8(data.count)]
      file += data
      file.append(0)
    }
    file.append(0x3B)
    return Bytes(file)
  }

  @Test(arguments: [2, 8])
  func `a removed frame leaves nothing`(colorBits: Int) throws {
    let file = gif([Self.whole, Self.part], colorBits: colorBits)
    let frames = try Film(file).frames
    #expect(frames.count == 2)
    #expect(frames[0].rgba((0, 0)) == [255, 0, 0, 255])
    #expect(frames[0].rgba((1, 1)) == [255, 0, 0, 255])
    #expect(frames[1].rgba((0, 0))[3] == 0)
    #expect(frames[1].rgba((1, 1)) == [0, 0, 255, 255])
    // The first frame alone has no transparent pixel.
    #expect(try decoded(file).channels == 3)
  }

  @Test func `a removed frame leaves nothing below a frame that was there for a moment`() throws {
    let moment = Frame(area: [0, 0, 4, 3], color: 1, disposal: 3)
    let frames = try Film(gif([Self.whole, moment, Self.part], colorBits: 2)).frames
    #expect(frames.count == 3)
    #expect(frames[1].rgba((0, 0)) == [0, 0, 255, 255])
    #expect(frames[2].rgba((0, 0))[3] == 0)
    #expect(frames[2].rgba((1, 1)) == [0, 0, 255, 255])
  }

  @Test func `a file in which nothing becomes empty is read as it is`() throws {
    let stays = Frame(area: [0, 0, 4, 3], color: 0, disposal: 1)
    let still = [
      [Self.whole, Self.whole], [Self.whole, stays], [stays, Self.part], [Self.whole],
    ]
    for frames in still {
      #expect(GIFBlocks.clearingRemovedFrames(in: gif(frames, colorBits: 2)) == nil)
    }
  }

  @Test func `colors of pixels stay opaque`() throws {
    // The first unused color of 256 is 1 in the first file, and 0 in the second.
    for color in [0, 1] {
      let frame = Frame(area: [0, 0, 4, 3], color: color, disposal: 2)
      let file = try #require(
        GIFBlocks.clearingRemovedFrames(in: gif([frame, Self.part], colorBits: 8)))
      // The header and 256 colors come before the control.
      let control = 13 + 768 + 3
      let bytes = file.withUnsafeBytes { Array($0) }
      #expect(bytes[control] == 2 << 2 | 1)
      #expect(bytes[control + 3] == UInt8(1 - color))
    }
  }
}
