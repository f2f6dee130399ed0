#if os(Linux)
  import Bytes
  import DrawingHelper
  import Eventually
  import Foundation
  import Imaging
  import Memes
  import Metrics
  import Support
  import Testing

  @testable import Rendering

  /// Decoders that crash, do not end, or want everything: each costs its own request, and nothing else.
  struct HelperFaultTests {
    /// What `Tests/FaultyDecoder` does at pictures of a width.
    enum Fault: Int, CaseIterable {
      case segmentation = 661
      case abort, division, loop, sleep, memory, output, exit

      /// Whether it goes on until somebody ends it.
      var lasts: Bool { self == .loop || self == .sleep }
    }

    private static func program(faulty: Bool = true) -> HelperProgram {
      var program = HelperProgram(path: ServerProcess.product("mememe").path)
      if faulty {
        program.additions["LD_PRELOAD"] = ServerProcess.product("libFaultyDecoder.so").path
      }
      // So that it is soon full.
      program.memoryBytes = 512 << 20
      return program
    }

    private func withHelpers(
      timeout: Int = 60, workers: Int = 1, faulty: Bool = true,
      _ body: (RenderPool, PooledRenderer) async throws -> Void
    ) async throws {
      var settings = RendererSettings(workers: workers)
      settings.timeoutSeconds = timeout
      let pool = RenderPool(
        settings: settings, helpers: Self.program(faulty: faulty), digest: testDigest)
      let renderer = PooledRenderer(
        pool: pool, limits: PictureLimits(pixels: 1_000_000), digest: testDigest)
      do { try await body(pool, renderer) } catch {
        await pool.stop()
        throw error
      }
      await pool.stop()
    }

    /// A JPEG of this width, unlike any other.
    private func picture(_ width: Int, _ level: UInt8 = 128) throws -> Bytes {
      let pixels = PixelBuffer()
      pixels.reshape(width: width, height: 40, channels: 3)
      pixels.pixels.initializeMemory(as: UInt8.self, repeating: level)
      return try PictureEncoder.jpeg(pixels, quality: 80)
    }

    private func drawn(_ renderer: PooledRenderer, _ file: Bytes) async throws -> String {
      let order = try order(file)
      do throws(MemeError) {
        _ = try await renderer.render(order)
        return "drawn"
      } catch {
        switch error {
        case .renderTimeout: return "late"
        case .rendering(let cause): return "\(cause)"
        case .renderingStarved: return "starved"
        case .invalid(let field, let value): return "\(field) \(value.code)"
        default: return "\(error)"
        }
      }
    }

    private func ends(_ pool: RenderPool) -> [HelperMeter.End: Int] {
      Dictionary(uniqueKeysWithValues: pool.helpers?.ends ?? []).filter { $0.value > 0 }
    }

    @Test(arguments: Fault.allCases)
    func `a fault costs one request, and the next picture is right`(fault: Fault) async throws {
      let good = try picture(660)
      var expected: Bytes?
      try await withRenderer { expected = try await $0.render(try order(good)).image.bytes }
      try await withHelpers(timeout: fault.lasts ? 2 : 60) { pool, renderer in
        // Until it has started: only then the time of the fault counts.
        try await eventually("it draws") { try await drawn(renderer, good) == "drawn" }
        // On a busy machine the first try may have been late.
        let before = ends(pool)
        let outcome = try await drawn(renderer, picture(fault.rawValue))
        if fault.lasts {
          #expect(outcome == "late")
          try await eventually("it is ended") {
            ends(pool) == before.merging([.late: 1]) { $0 + $1 }
          }
        } else {
          #expect(outcome.hasPrefix("the process that draws"))
          #expect(ends(pool) == before.merging([.crash: 1]) { $0 + $1 })
        }
        try await eventually("the next one draws") {
          let order = try order(good)
          do throws(MemeError) {
            return try await renderer.render(order).image.bytes == expected
          } catch {
            // It is slow to start.
            switch error {
            case .renderTimeout, .overloaded: return false
            default: throw error
            }
          }
        }
      }
    }

    @Test func `while one picture loops, others are drawn`() async throws {
      let (loop, good) = (try picture(Fault.loop.rawValue), try picture(660))
      try await withHelpers(workers: 2) { pool, renderer in
        let looping = Task { try await drawn(renderer, loop) }
        try await eventually("it loops") { pool.load.busy > 0 }
        for _ in 0..<5 { #expect(try await drawn(renderer, good) == "drawn") }
        looping.cancel()
        try await eventually("what nobody waits for is ended") { ends(pool) == [.unwanted: 1] }
        #expect(try await looping.value == "CancellationError()")
        #expect(try await drawn(renderer, good) == "drawn")
      }
    }

    @Test func `a pool with a picture that loops ends`() async throws {
      let loop = try picture(Fault.loop.rawValue)
      try await withHelpers { pool, renderer in
        let looping = Task { try await drawn(renderer, loop) }
        try await eventually("it loops") { pool.load.busy > 0 }
        await pool.stop()
        #expect(try await looping.value == "late")
      }
    }

    @Test func `a picture that has ended two processes is not tried again`() async throws {
      let (bad, other) = (
        try picture(Fault.segmentation.rawValue), try picture(Fault.segmentation.rawValue, 7)
      )
      try await withHelpers { pool, renderer in
        let crash = "the process that draws was ended by signal 11"
        var outcomes: [String] = []
        for file in [bad, bad, bad, other] { outcomes.append(try await drawn(renderer, file)) }
        // What is refused is this file, and nothing that is like it.
        #expect(outcomes == [crash, crash, "image broken-picture", crash])
        #expect(ends(pool) == [.crash: 3])
      }
    }

    @Test func `a process that ends while it has nothing to do is no picture's fault`() async throws
    {
      let meter = HelperMeter()
      let supply = HelperSupply(Self.program(faulty: false), users: 1, meter)
      let drawer = HelperDrawer(
        supply, CrashedPictures(testDigest), meter, RenderMemory(capacity: 1 << 30))
      _ = try drawer.ready(RenderTicket(deadline: .now + .seconds(60)))
      let helper = try #require(drawer.helper)
      kill(helper.process, SIGKILL)
      try await eventually("it has ended") { !helper.isWaiting }
      let ticket = RenderTicket(deadline: .now + .seconds(60))
      let head = try drawer.perform(
        RenderJob(.head, .sent(picture(661)), limits: .ofRenders), ticket)
      #expect(
        head.result == .head(PictureHead(size: PixelSize(width: 661, height: 40), format: .jpeg)))
      drawer.end()
      supply.stop()
    }

    @Test func `after so many jobs another process takes its place`() async throws {
      let file = try picture(660)
      try await withHelpers(faulty: false) { pool, renderer in
        for _ in 0..<499 { _ = try await renderer.facts(of: file) }
        #expect(ends(pool) == [:])
        for _ in 0..<2 { _ = try await renderer.facts(of: file) }
        #expect(ends(pool) == [.age: 1])
      }
    }

    @Test func `a process is the first to end without memory, and is gone once it is ended`() throws
    {
      let meter = HelperMeter()
      let supply = HelperSupply(Self.program(faulty: false), users: 1, meter)
      let drawer = HelperDrawer(
        supply, CrashedPictures(testDigest), meter, RenderMemory(capacity: 1 << 30))
      _ = try drawer.ready(RenderTicket(deadline: .now + .seconds(60)))
      let process = try #require(drawer.helper).process
      let score = try String(contentsOfFile: "/proc/\(process)/oom_score_adj", encoding: .utf8)
      #expect(score == "1000\n")
      drawer.end()
      supply.stop()
      #expect(kill(process, 0) != 0)
    }

    @Test
    func `a process that has nothing to do ends, and the next job takes the one that is ready`()
      async throws
    {
      let meter = HelperMeter()
      let supply = HelperSupply(Self.program(faulty: false), users: 1, meter)
      let drawer = HelperDrawer(
        supply, CrashedPictures(testDigest), meter, RenderMemory(capacity: 1 << 30))
      let ticket = RenderTicket(deadline: .now + .seconds(60))
      let head = RenderJob(.head, .sent(try picture(660)), limits: .ofRenders)
      _ = try drawer.perform(head, ticket)
      let first = try #require(drawer.helper).process
      _ = drawer.rest(after: .seconds(59))
      #expect(drawer.helper?.process == first)
      _ = drawer.rest(after: .seconds(60))
      #expect(drawer.helper == nil)
      // It has drawn nothing: what the start of a server asks.
      _ = try drawer.perform(RenderJob(.faces), ticket)
      #expect(drawer.helper != nil)
      _ = drawer.rest(after: .seconds(5))
      #expect(drawer.helper == nil)
      _ = try drawer.perform(head, ticket)
      #expect(meter.ends.first { $0.0 == .idle }?.1 == 2)
      drawer.end()
      supply.stop()
    }

    @Test func `a program that cannot be started is told, and tried again`() async throws {
      let pool = RenderPool(
        settings: RendererSettings(workers: 1), helpers: HelperProgram(path: "/nonexistent"),
        digest: testDigest)
      let renderer = PooledRenderer(pool: pool, limits: .ofRenders, digest: testDigest)
      let error = await #expect(throws: MemeError.self) { try await renderer.checkHealth() }
      guard case .rendering(let cause) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect("\(cause)".hasPrefix("posix_spawn: "))
      await pool.stop()
    }

    @Test func `a program that is no helper is ended`() throws {
      let supply = HelperSupply(HelperProgram(path: "/bin/true"), users: 1, HelperMeter())
      let drawer = HelperDrawer(
        supply, CrashedPictures(testDigest), HelperMeter(), RenderMemory(capacity: 1 << 30))
      let ticket = RenderTicket(deadline: .now + .seconds(60))
      let error = #expect(throws: MemeError.self) {
        _ = try drawer.perform(RenderJob(.trial), ticket)
      }
      guard case .rendering(HelperFailure.ended(signal: 0)) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      drawer.end()
      supply.stop()
    }
  }
#endif
