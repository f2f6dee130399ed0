package import Imaging
package import Memes

/// Decodes pictures on the threads of a ``RenderPool``, as a render would.
package struct PooledInspector: PictureInspector {
  /// The edge that pictures are shrunk to while they are decoded: every row is, and few are in memory.
  private static let edge = 512

  private let pool: RenderPool
  private let kinds: Set<PictureKind>

  /// - Parameter kinds: those that may be decoded. Of others only the first bytes are looked at.
  package init(pool: RenderPool, kinds: Set<PictureKind> = PictureKind.standard) {
    (self.pool, self.kinds) = (pool, kinds)
  }

  package func flaw(of picture: PictureFile) async throws(MemeError) -> PictureFlaw? {
    try await pool.run { [kinds] worker, _ throws(MemeError) in
      do throws(ImagingError) {
        return try Self.flaw(of: picture, kinds, worker.picture)
      } catch {
        switch error {
        case .unsupported: return .format(nil)
        case .broken(let reason): return .undecodable(reason)
        case .tooLarge, .tooManyFrames:
          return .undecodable("it is larger, or has more scans, than any upload may")
        case .outOfMemory: throw .renderingStarved(error)
        case .library: throw .rendering(error)
        }
      }
    }
  }

  private static func flaw(
    of picture: PictureFile, _ kinds: Set<PictureKind>, _ pixels: PixelBuffer
  ) throws(ImagingError) -> PictureFlaw? {
    guard let kind = PictureKind(sniffing: picture.bytes) else { return .format(nil) }
    let format = PictureFormat(kind)
    guard format == picture.facts.format else { return .format(format) }
    // The bytes are those that were stored. A decoder that nobody trusts has nothing to add.
    guard kinds.contains(kind) else { return nil }
    // Whatever was uploaded had few enough pixels then; the row's size is held against the header before any is decoded.
    let header = try PictureHeader(of: picture.bytes, kinds: kinds, maximumPixels: .max)
    let size = PixelSize(width: header.width, height: header.height)
    guard size == picture.facts.size else { return .size(size) }
    try PictureDecoder.decode(picture.bytes, header: header, maximumEdge: edge, into: pixels)
    return nil
  }
}
