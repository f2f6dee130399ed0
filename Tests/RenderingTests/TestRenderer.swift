import Bytes
import DrawingHelper
import Imaging
import Memes

@testable import Rendering

/// Not SHA-256, but it distinguishes files.
let testDigest: Digester = { bytes in
  var sum = [UInt8](repeating: 0, count: 32)
  bytes.withUnsafeBytes { for (index, byte) in $0.enumerated() { sum[index % 32] &+= byte } }
  guard let digest = Digest(sum) else { preconditionFailure("32 bytes are a digest") }
  return digest
}

func withRenderer(
  limits: PictureLimits = PictureLimits(pixels: 1_000_000),
  _ body: (PooledRenderer) async throws -> Void
) async throws {
  var settings = RendererSettings(workers: 1)
  // However busy the machine is, the picture of one preview is still kept for the next.
  settings.restAfterSeconds = 3600
  let pool = WorkerDrawer.pool(settings)
  do {
    try await body(PooledRenderer(pool: pool, limits: limits, digest: testDigest))
  } catch {
    await pool.stop()
    throw error
  }
  await pool.stop()
}

func order(
  _ picture: Bytes, top: String = "one does not simply", bottom: String = "walk into mordor",
  maxEdge: Int = 2048, format: OutputFormat? = nil, thumbnails: Bool = true
) throws -> RenderOrder {
  var recipe = Recipe()
  (recipe.top, recipe.bottom) = (try CaptionText(top), try CaptionText(bottom))
  return try order(picture, recipe, maxEdge: maxEdge, format: format, thumbnails: thumbnails)
}

func order(
  _ picture: Bytes, _ recipe: Recipe, maxEdge: Int = 2048, format: OutputFormat? = nil,
  thumbnails: Bool = false
) throws -> RenderOrder {
  RenderOrder(
    picture: .sent(picture), recipe: recipe, maxEdge: try MaxEdge(pixels: maxEdge), format: format,
    thumbnails: thumbnails)
}

func decoded(_ file: Bytes) throws -> PixelBuffer {
  let buffer = PixelBuffer()
  let header = try PictureHeader(of: file, maximumPixels: 100_000_000)
  try PictureDecoder.decode(file, header: header, maximumEdge: 20_000, into: buffer)
  return buffer
}
