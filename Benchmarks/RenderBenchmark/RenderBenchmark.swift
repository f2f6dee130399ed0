import Bytes
import DrawingHelper
import Foundation
import Imaging
import Memes
import PhotoGenerator
import Rendering

/// Compares the CPU time of a render to that of decoding and encoding alone.
///
///     bench-render [--size 2725x2225] [--seed 1] [--runs 15] [--picture PATH] [--write-photo PATH]
///                  [--helpers PROGRAM] [--max-edge 16384] [--costs]
///
/// Prints one JSON object with medians. The default picture is a generated, photo-like JPEG.
///
/// - `--picture` uses another picture: a JPEG or an animated GIF, which stays animated.
/// - `--write-photo` writes the picture and measures nothing.
/// - `--helpers` compares a render in this process to a render in a process of PROGRAM, which is `mememe`.
/// - `--costs` measures the costs of decoding and encoding the picture in every file format.
@main
struct RenderBenchmark {
  static func main() async throws {
    let options = try Options(CommandLine.arguments.dropFirst())
    let photo =
      try options.picturePath.map { Bytes([UInt8](try Data(contentsOf: URL(filePath: $0)))) }
      ?? Photo.jpeg(width: options.width, height: options.height, seed: options.seed)
    if let path = options.photoPath {
      try photo.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
      return
    }
    if options.measuresCosts {
      try Costs(photo: photo, runs: options.runs).print()
      return
    }
    let pool = WorkerDrawer.pool(RendererSettings(workers: 1))
    if let program = options.program {
      try await Comparison(photo: photo, options: options, here: pool, program: program).run()
    } else {
      try await Measurement(photo: photo, options: options, pool: pool).run().print()
    }
    await pool.stop()
  }
}

/// Renders and transcodes one picture alternately, so that both run under the same conditions.
struct Measurement {
  let photo: Bytes
  let options: Options
  let pool: RenderPool

  func run() async throws -> Result {
    // The digest is not part of this measurement. The store's benchmark includes it.
    guard let digest = Digest(Array(repeating: 0, count: 32)) else { throw UsageError() }
    let renderer = PooledRenderer(pool: pool, limits: PictureLimits(pixels: 1_000_000_000)) { _ in
      digest
    }
    var (floor, render, thumbnails): ([Double], [Double], [Double]) = ([], [], [])
    for turn in -2..<options.runs {
      let plain = try order(thumbnails: false)
      let full = try order(thumbnails: true)
      let floorTime = try await cpu { _ = try transcode() }
      let renderTime = try await cpu { _ = try await renderer.render(plain) }
      let fullTime = try await cpu { _ = try await renderer.render(full) }
      // The first turns warm up caches and fonts.
      guard turn >= 0 else { continue }
      floor.append(floorTime)
      render.append(renderTime)
      thumbnails.append(fullTime - renderTime)
    }
    return Result(
      photoBytes: photo.count, runs: options.runs,
      floorMilliseconds: median(floor), renderMilliseconds: median(render),
      ratio: median(zip(render, floor).map { $0 / $1 }), thumbnailsMilliseconds: median(thumbnails))
  }

  private var moves: Bool { PictureKind(sniffing: photo) == .gif }

  private func transcode() throws -> Bytes {
    try moves ? PictureTranscoder.gif(photo) : PictureTranscoder.jpeg(photo, quality: 85)
  }

  private func order(thumbnails: Bool) throws -> RenderOrder {
    var recipe = Recipe()
    recipe.top = try CaptionText("one does not simply")
    recipe.bottom = try CaptionText("walk into mordor")
    return RenderOrder(
      picture: .sent(photo), recipe: recipe,
      maxEdge: try MaxEdge(pixels: MaxEdge.range.upperBound), format: moves ? .gif : .jpeg,
      thumbnails: thumbnails)
  }

  /// Milliseconds of user and system CPU time of all threads.
  private func cpu(_ body: () async throws -> Void) async rethrows -> Double {
    let start = Self.processTime()
    try await body()
    return (Self.processTime() - start) * 1000
  }

  private static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

struct Result: Encodable {
  let photoBytes: Int
  let runs: Int
  let floorMilliseconds: Double
  let renderMilliseconds: Double
  /// The median of the ratios of all turns.
  let ratio: Double
  let thumbnailsMilliseconds: Double

}

extension Encodable {
  func print() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
  }
}
