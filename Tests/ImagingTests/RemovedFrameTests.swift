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
    /// The colors of the pixels, if they are not all the same.
    var colors: [Int]?
  }

  private static let whole = Frame(area: [0, 0, 4, 3], color: 0, disposal: 2)
  private static let part = Frame(area: [1, 1, 2, 1], color: 1, disposal: 0)

  /// A GIF whose background color is green.
  private func gif(_ frames: [Frame], colorBits: Int, width: UInt8 = 4, height: UInt8 = 3) -> Bytes
  {
    var file = Array("GIF89a".utf8)
    file += [width, 0, height, 0, 0x80 | UInt8(colorBits - 1), 2, 0]
    file += [255, 0, 0, 0, 0, 255, 0, 255, 0]
    file += [UInt8](repeating: 9, count: 3 * (1 << colorBits - 3))
    for frame in frames {
      file += [0x21, 0xF9, 4, frame.disposal << 2, 10, 0, 0, 0, 0x2C]
      for number in frame.area { file += [number, 0] }
      file.append(0)
      file.append(UInt8(colorBits))
      let data = pixels(of: frame, colorBits: colorBits)
      for start in stride(from: 0, to: data.count, by: 255) {
        let block = data[start...].prefix(255)
        file.append(UInt8(block.count))
        file += block
      }
      file.append(0)
    }
    file.append(0x3B)
    return Bytes(file)
  }

  /// The pixels as LZW codes, each for one pixel.
  private func pixels(of frame: Frame, colorBits: Int) -> [UInt8] {
    var (data, buffer, bits): ([UInt8], Int, Int) = ([], 0, 0)
    var (codeBits, nextCode) = (colorBits + 1, 1 << colorBits + 1)
    func write(_ code: Int) {
      buffer |= code << bits
      bits += codeBits
      while bits >= 8 {
        data.append(UInt8(buffer & 255))
        (buffer, bits) = (buffer >> 8, bits - 8)
      }
    }
    if let colors = frame.colors {
      write(1 << colorBits)
      for color in colors {
        write(color)
        // The decoder adds a code after each pixel but the first, and uses the longer codes from the next one on.
        if nextCode < 4096 { nextCode += 1 }
        if nextCode == 1 << codeBits, codeBits < 12 { codeBits += 1 }
      }
    } else {
      // With a clear code before each pixel, all codes have the same length.
      for _ in 0..<Int(frame.area[2]) * Int(frame.area[3]) {
        write(1 << colorBits)
        write(frame.color)
      }
    }
    write(1 << colorBits + 1)
    data.append(UInt8(buffer & 255))
    return data
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

  @Test(arguments: [3, 4] as [UInt8])
  func `a removed frame leaves nothing below a frame that was there for a moment`(
    disposal: UInt8
  ) throws {
    let moment = Frame(area: [0, 0, 4, 3], color: 1, disposal: disposal)
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

  @Test func `a color that occurs only after the codes have grown stays opaque`() throws {
    // Color 7 does not occur, and color 3 is that of the last of 4,800 pixels.
    let others = (0..<256).filter { $0 != 7 && $0 != 3 }
    let colors = (0..<4799).map { others[$0 % others.count] } + [3]
    let frame = Frame(area: [0, 0, 60, 80], color: 0, disposal: 2, colors: colors)
    let file = gif([frame, Self.part], colorBits: 8, width: 60, height: 80)
    let cleared = try #require(GIFBlocks.clearingRemovedFrames(in: file))
    #expect(cleared.withUnsafeBytes { $0[13 + 768 + 6] } == 7)
    let frames = try Film(file).frames
    #expect(frames.count == 2)
    for (x, y) in [(0, 0), (30, 40), (59, 79)] { #expect(frames[0].rgba((x, y))[3] == 255) }
    #expect(frames[0].rgba((2, 0)) == [0, 255, 0, 255])
    #expect(frames[0].rgba((59, 79)) == [9, 9, 9, 255])
    #expect(frames[1].rgba((59, 79))[3] == 0)
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
