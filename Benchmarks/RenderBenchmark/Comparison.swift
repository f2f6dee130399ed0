import Bytes
import Foundation
import Memes
import Rendering

/// Draws one picture alternately on a thread of this process and in another process.
struct Comparison {
  let photo: Bytes
  let options: Options
  let here: RenderPool
  let program: String

  struct Result: Encodable {
    /// Wall time of a meme with its thumbnails.
    var hereMilliseconds = 0.0
    var thereMilliseconds = 0.0
    /// CPU time of this process and its child processes.
    var hereCPUMilliseconds = 0.0
    var thereCPUMilliseconds = 0.0
    /// CPU time to read the head of the picture. The whole picture is passed to the other process.
    var headHereCPUMilliseconds = 0.0
    var headThereCPUMilliseconds = 0.0
  }

  func run() async throws {
    guard let digest = Digest(Array(repeating: 0, count: 32)) else { throw UsageError() }
    let there = RenderPool(
      settings: RendererSettings(workers: 1), helpers: HelperProgram(path: program)
    ) { _ in digest }
    var (draws, heads): ([[Double]], [[Double]]) = ([[], [], [], []], [[], []])
    for turn in -2..<options.runs {
      for (place, pool) in [here, there].enumerated() {
        let renderer = PooledRenderer(pool: pool, limits: PictureLimits(pixels: 1_000_000_000)) {
          _ in digest
        }
        let order = try order()
        let (cpu, began) = (Self.cpuTime(), ContinuousClock.now)
        _ = try await renderer.render(order)
        let (wall, used) = ((.now - began) / .milliseconds(1), Self.cpuTime() - cpu)
        let before = Self.cpuTime()
        for _ in 0..<50 { _ = try await renderer.facts(of: photo) }
        if turn >= 0 { heads[place].append((Self.cpuTime() - before) * 1000 / 50) }
        // The first turns warm up caches and fonts.
        guard turn >= 0 else { continue }
        draws[place].append(wall)
        draws[2 + place].append(used * 1000)
      }
    }
    await there.stop()
    let middle = (draws + heads).map(Self.median)
    try Result(
      hereMilliseconds: middle[0], thereMilliseconds: middle[1], hereCPUMilliseconds: middle[2],
      thereCPUMilliseconds: middle[3], headHereCPUMilliseconds: middle[4],
      headThereCPUMilliseconds: middle[5]
    ).print()
  }

  private func order() throws -> RenderOrder {
    var recipe = Recipe()
    recipe.top = try CaptionText("one does not simply")
    recipe.bottom = try CaptionText("walk into mordor")
    return RenderOrder(
      picture: .sent(photo), recipe: recipe, maxEdge: try MaxEdge(pixels: options.maxEdge),
      format: .jpeg, thumbnails: true)
  }

  /// User and system CPU seconds of this process and its running children.
  private static func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    var seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #if os(Linux)
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      for task in tasks {
        let children =
          (try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? ""
        for child in children.split(separator: " ") {
          var clock = clockid_t()
          guard let process = pid_t(child), clock_getcpuclockid(process, &clock) == 0,
            clock_gettime(clock, &time) == 0
          else { continue }
          seconds += Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
      }
    #endif
    return seconds
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
