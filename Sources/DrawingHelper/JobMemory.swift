import Imaging
import Memes

/// The maximum memory of jobs, apart from their files and the memory that every process needs.
/// Measured with noise by `RenderMemoryTests`.
enum JobMemory {
  /// - Parameters:
  ///   - output: the size of the resulting picture.
  ///   - formats: the formats that it may be encoded in.
  static func still(_ header: PictureHeader, output: PixelSize, _ formats: [OutputFormat]) -> Int {
    let (pixels, wanted) = (header.width * header.height, output.width * output.height)
    // A JPEG may be decoded at up to twice the requested edges and then rotated, which needs its pixels twice.
    let read = header.kind == .jpeg ? 6 * min(pixels, 4 * wanted) : 0
    return header.decodingBytes + read + made(output, formats, hasAlpha: header.hasAlpha)
  }

  /// The memory for drawing on pixels that are already decoded.
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

  /// - Parameter frame: the size of each output frame.
  static func moving(_ header: PictureHeader, frame: PixelSize, as format: OutputFormat) -> Int {
    let (pixels, wanted) = (header.width * header.height, frame.width * frame.height)
    // Several frames are in memory at a time, and so is the whole file.
    let encoding = (format == .webp ? 72 : 48) + 2 * header.frames
    return header.decodingBytes + 8 * pixels + encoding * wanted
  }
}
