package import Bytes
import CVips

/// The properties of a picture file, read without decoding pixels.
package struct PictureHeader: Sendable, Equatable {
  package let kind: PictureKind
  /// The size in pixels, upright: takes the EXIF orientation into account.
  package let width: Int
  package let height: Int
  /// The number of frames of an animation; 1 for a still picture.
  package let frames: Int
  package let hasAlpha: Bool
  /// The most memory that decoding a frame takes, in addition to the resulting pixels.
  package var decodingBytes: Int {
    width * height * wholeBytes + width * min(height, 1500) * rowBytes
  }
  /// The number of scans of a JPEG, all of which the decoder reads for each pixel; 1 for other kinds.
  package private(set) var scans = 1
  /// The bytes per pixel of a decoder that holds all pixels at once.
  private let wholeBytes: Int
  /// The bytes per pixel of the rows in the pipeline.
  private let rowBytes: Int
  /// The conversion that the embedded profile requires; `nil` if the pixels need none.
  let conversion: ColorProfile.Conversion?
  /// The EXIF orientation; 1 if the picture is stored upright.
  let orientation: Int
  /// Whether the decoder reads another file; see ``GIFBlocks/repaired(_:)``.
  private var isRepaired = false

  /// Reads and checks the header of `file`.
  ///
  /// - Parameters:
  ///   - kinds: the accepted kinds. For kinds other than ``PictureKind/standard``, call ``Vips/allow(_:)`` first.
  ///   - maximumPixels: the limit on width × height × frames.
  ///   - maximumFrames: the limit on the frames of an animation.
  /// - Throws: ``ImagingError/unsupported``, ``ImagingError/broken(_:)``, ``ImagingError/tooLarge``,
  ///   ``ImagingError/tooManyFrames``.
  package init(
    of file: Bytes, kinds: Set<PictureKind> = PictureKind.standard, maximumPixels: Int,
    maximumFrames: Int = .max
  ) throws(ImagingError) {
    guard let kind = PictureKind(sniffing: file), kinds.contains(kind) else { throw .unsupported }
    // To read the header, the decoder inflates the texts before the pixels.
    if kind == .png, PNGTexts.compressedBytes(in: file) > PNGTexts.maximumBytes { throw .tooLarge }
    if kind == .avif || kind == .heic, HEIFBoxes.isTruncated(file) {
      throw .broken("the file ends within a box")
    }
    let repaired = kind == .gif ? GIFBlocks.repaired(file) : nil
    let header = try (repaired?.file ?? file).withUnsafeBytes { memory throws(ImagingError) in
      try PictureHeader(kind: kind, memory: memory, isExtended: repaired?.isExtended ?? false)
    }
    // No edge exceeds 2^31 and frames are few, but the product may still overflow 64 bits.
    let (area, overflow) = header.width.multipliedReportingOverflow(by: header.height)
    let (pixels, tooMany) = area.multipliedReportingOverflow(by: header.frames)
    guard !overflow, !tooMany, pixels <= maximumPixels, header.longestEdge <= Self.maximumEdge
    else { throw .tooLarge }
    guard header.frames <= maximumFrames else { throw .tooManyFrames }
    var completed = header
    completed.isRepaired = repaired != nil
    // The decoder reads only the first scan of other files, so only their header is read here.
    if kind == .jpeg, header.wholeBytes > 0 {
      let scans = JPEGScans.count(in: file, upTo: JPEGScans.maximum + 1)
      guard scans <= JPEGScans.maximum else { throw .tooLarge }
      completed.scans = scans
    }
    if kind == .gif, GIFBlocks.isTruncated(file) { throw .broken("the file ends within a block") }
    self = completed
  }

  /// The longest edge that JPEG can store, so that every accepted picture can be written.
  private static let maximumEdge = 65_500

  /// Measured with noise in the most demanding form of each kind; see `RenderMemoryTests`.
  private static func wholeBytes(_ kind: PictureKind, _ image: borrowing VipsHandle) -> Int {
    let sampleBytes = image.isEightBit ? 1 : 2
    return switch kind {
    // For a progressive JPEG, and one whose first scan lacks components, the decoder holds all coefficients.
    case .jpeg: image.isInterlaced ? 2 * image.bands + 1 : 0
    case .png: image.isInterlaced ? image.bands * sampleBytes : 0
    case .gif: 8
    case .webp: 9
    case .avif, .heic: 14 * sampleBytes
    }
  }

  /// The size as it is stored, not upright.
  var storedSize: (width: Int, height: Int) {
    orientation > 4 ? (height, width) : (width, height)
  }

  /// The file as the decoder must read it. It may have one frame more than ``frames``.
  func decodable(_ file: Bytes) -> Bytes {
    isRepaired ? GIFBlocks.repaired(file)?.file ?? file : file
  }

  private var longestEdge: Int { max(width, height) }

  /// - Parameter isExtended: whether the file has one frame more than the picture.
  private init(
    kind: PictureKind, memory: UnsafeRawBufferPointer, isExtended: Bool
  ) throws(ImagingError) {
    do throws(ImagingError) {
      let loader = try VipsCall(kind.loader)
      loader.set("buffer", memory)
      loader.set("fail-on", Int(VIPS_FAIL_ON_ERROR.rawValue))
      let image = try loader.image()
      let (width, height) = (image.width, image.height)
      (self.width, self.height) = image.isTurned ? (height, width) : (width, height)
      orientation = image.orientation
      // Other pictures in such a file are not frames. Only the first one counts.
      let frames = kind == .avif || kind == .heic ? 1 : image.frames
      (self.kind, self.frames) = (kind, max(1, isExtended ? frames - 1 : frames))
      hasAlpha = image.hasAlpha
      wholeBytes = Self.wholeBytes(kind, image)
      // With alpha, the rows are floating-point.
      rowBytes = image.bands * (image.hasAlpha ? 4 : image.isEightBit ? 1 : 2)
      let bands = image.colourBands
      conversion = image.withProfile { profile in
        profile.flatMap { ColorProfile.conversion(by: $0, bands: bands) }
      }
    } catch {
      guard case .library(_, let message) = error else { throw error }
      // Only the header was read, so the file is at fault.
      throw ImagingError(reading: message)
    }
  }
}
