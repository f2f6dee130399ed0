import Imaging
import Memes

/// The memory that jobs take at most, beside their files and what every process has. Measured with noise: `RenderMemoryTests`.
enum JobMemory {
  /// - Parameters:
  ///   - output: the size of what is made.
  ///   - formats: those that it may become.
  static func still(_ header: PictureHeader, output: PixelSize, _ formats: [OutputFormat]) -> Int {
    let (pixels, wanted) = (header.width * header.height, output.width * output.height)
    // A JPEG may be read at up to twice the edges, and turned: the pixels are there twice.
    let read = header.kind == .jpeg ? 6 * min(pixels, 4 * wanted) : 0
    return header.decodingBytes + read + made(output, formats, hasAlpha: header.hasAlpha)
  }

  /// Of pixels that are there.
  static func made(_ output: PixelSize, _ formats: [OutputFormat], hasAlpha: Bool) -> Int {
    let bytes = formats.map { encodingBytes($0, hasAlpha: hasAlpha) }.max() ?? 0
    return bytes * output.width * output.height
  }

  private static func encodingBytes(_ format: OutputFormat, hasAlpha: Bool) -> Int {
    switch format {
    case .jpeg: 6
    case .png: 8
    case .webp: hasAlpha ? 40 : 10
    case .gif: 28
    case .avif: 32
    }
  }

  /// - Parameter frame: the size of each frame that is made.
  static func moving(_ header: PictureHeader, frame: PixelSize, as format: OutputFormat) -> Int {
    let (pixels, wanted) = (header.width * header.height, frame.width * frame.height)
    // Some frames are in memory at a time, and all of the file.
    let encoding = (format == .webp ? 72 : 48) + 2 * header.frames
    return header.decodingBytes + 8 * pixels + encoding * wanted
  }
}
