package import Bytes
import CVips

/// What a picture file says of itself, read without decoding pixels.
package struct PictureHeader: Sendable, Equatable {
  package let kind: PictureKind
  /// In pixels, upright: EXIF orientation is taken into account.
  package let width: Int
  package let height: Int
  /// Frames of an animation, 1 for a still picture.
  package let frames: Int
  package let hasAlpha: Bool
  /// The memory that reading a frame takes at most, beside the pixels that come out.
  package var decodingBytes: Int {
    width * height * wholeBytes + width * min(height, 1500) * rowBytes
  }
  /// Of a JPEG, all of which are read for each pixel; 1 for others.
  package private(set) var scans = 1
  /// Of each pixel, where the decoder has all of them at once.
  private var wholeBytes: Int
  /// Of each pixel in the rows that are on their way.
  private let rowBytes: Int
  /// What an embedded profile asks for whose numbers are not sRGB, or not plainly.
  let conversion: ColourProfile.Conversion?

  /// Reads and checks the header of `file`.
  ///
  /// - Parameters:
  ///   - kinds: those that may be read; for others than ``PictureKind/standard`` ``Vips/allow(_:)`` comes first.
  ///   - maximumPixels: the bound on width × height × frames.
  ///   - maximumFrames: of a picture that moves.
  /// - Throws: ``ImagingError/unsupported``, ``ImagingError/broken(_:)``, ``ImagingError/tooLarge``,
  ///   ``ImagingError/tooManyFrames``.
  package init(
    of file: Bytes, kinds: Set<PictureKind> = PictureKind.standard, maximumPixels: Int,
    maximumFrames: Int = .max
  ) throws(ImagingError) {
    guard let kind = PictureKind(sniffing: file), kinds.contains(kind) else { throw .unsupported }
    // What stands before the pixels is inflated to read the header.
    if kind == .png, PNGTexts.compressedBytes(in: file) > PNGTexts.maximumBytes { throw .tooLarge }
    if kind == .avif || kind == .heic, HEIFBoxes.isTruncated(file) {
      throw .broken("the file ends within a box")
    }
    let header = try file.withUnsafeBytes { memory throws(ImagingError) in
      try PictureHeader(kind: kind, memory: memory)
    }
    // No edge is over 2^31 and frames are few, but the product may still be more than 64 bits hold.
    let (area, overflow) = header.width.multipliedReportingOverflow(by: header.height)
    let (pixels, tooMany) = area.multipliedReportingOverflow(by: header.frames)
    guard !overflow, !tooMany, pixels <= maximumPixels, header.longestEdge <= Self.maximumEdge
    else { throw .tooLarge }
    guard header.frames <= maximumFrames else { throw .tooManyFrames }
    var completed = header
    if kind == .jpeg {
      let scans = JPEGScans.count(in: file, upTo: JPEGScans.maximum + 1)
      guard scans <= JPEGScans.maximum else { throw .tooLarge }
      // The coefficients of all scans come together before there are rows.
      if scans == 1 { completed.wholeBytes = 0 }
      completed.scans = scans
    }
    if kind == .gif, GIFBlocks.isTruncated(file) { throw .broken("the file ends within a block") }
    self = completed
  }

  /// The longest edge that JPEG can store, so that whatever is read can be written.
  private static let maximumEdge = 65_500

  /// Measured with noise in the deepest and finest form of each kind: `RenderMemoryTests`.
  private static func wholeBytes(_ kind: PictureKind, _ image: borrowing VipsHandle) -> Int {
    let sampleBytes = image.isEightBit ? 1 : 2
    return switch kind {
    case .jpeg: 2 * image.bands + 1
    case .png: image.isInterlaced ? image.bands * sampleBytes : 0
    case .gif: 8
    case .webp: 9
    case .avif, .heic: 14 * sampleBytes
    }
  }

  private var longestEdge: Int { max(width, height) }

  private init(kind: PictureKind, memory: UnsafeRawBufferPointer) throws(ImagingError) {
    do throws(ImagingError) {
      let loader = try VipsCall(kind.loader)
      loader.set("buffer", memory)
      loader.set("fail-on", Int(VIPS_FAIL_ON_ERROR.rawValue))
      let image = try loader.image()
      let (width, height) = (image.width, image.height)
      (self.width, self.height) = image.isTurned ? (height, width) : (width, height)
      // Other pictures in the file are not frames: the first one is meant.
      let frames = kind == .avif || kind == .heic ? 1 : image.frames
      (self.kind, self.frames) = (kind, max(1, frames))
      hasAlpha = image.hasAlpha
      wholeBytes = Self.wholeBytes(kind, image)
      // With alpha they are fractions.
      rowBytes = image.bands * (image.hasAlpha ? 4 : image.isEightBit ? 1 : 2)
      let bands = image.colourBands
      conversion = image.withProfile { profile in
        profile.flatMap { ColourProfile.conversion(by: $0, bands: bands) }
      }
    } catch {
      guard case .library(_, let message) = error else { throw error }
      // The header was asked for and nothing else: what fails here is the file.
      throw ImagingError(reading: message)
    }
  }
}
