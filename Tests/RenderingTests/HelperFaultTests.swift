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

  /// Decoders that crash, run forever or use all memory. Each costs only its own request.
  struct HelperFaultTests {
    /// Faults that `Tests/FaultyDecoder` causes for pictures of a certain width.
    enum Fault: Int, CaseIterable {
      case segmentation = 661
      case abort, division, loop, sleep, memory, output, exit

      /// Whether the fault lasts until the process is killed.
      var lasts: Bool { self == .loop || self == .sleep }
    }

    private static func program(faulty: Bool = true) -> HelperProgram {
      var program = HelperProgram(path: ServerProcess.executable.path)
      if faulty {
        program.additions["LD_PRELOAD"] = ServerProcess.product("libFaultyDecoder.so").path
      }
      // So that the limit is soon reached.
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

    /// A JPEG of this width and gray level.
    private func picture(_ width: Int, _ level: UInt8 = 128) throws -> Bytes {
      let pixels = PixelBuffer()
      pixels.reshape(width: width, height: 40, channels: 3)
      pixels.pixels.initializeMemory(as: UInt8.self, repeating: level)
      return try PictureEncoder.jpeg(pixels, quality: 80)
    }

    private func drawn(_ renderer: PooledRenderer, _ file: Bytes) async throws -> String {
      let order = try order(file)
      do {
        _ = try await renderer.render(order)
        return "drawn"
      } catch {
        switch error {
        case MemeError.renderTimeout: return "late"
        case MemeError.rendering(let cause): return "\(cause)"
        case MemeError.renderingStarved: return "starved"
        case MemeError.invalid(let field, let value): return "\(field) \(value.code)"
        default: return "\(error)"
        }
      }
    }

    private func ends(_ pool: RenderPool) -> [HelperMeter.End: Int] {
      Dictionary(uniqueKeysWithValues: pool.helpers?.ends ?? []).filter { $0.value > 0 }
    }

    @Test(arguments: Fault.allCases)
    func `a fault costs one request, and the next picture is correct`(fault: Fault) async throws {
      let good = try picture(660)
      var expected: Bytes?
      try await withRenderer { expected = try await $0.render(try order(good)).image.bytes }
      try await withHelpers(timeout: fault.lasts ? 2 : 60) { pool, renderer in
        // Waits until the process has started, so that only the time of the fault counts.
        try await eventually("a picture is drawn") { try await drawn(renderer, good) == "drawn" }
        // On a busy machine, the first attempt may have been late.
        let before = ends(pool)
        let outcome = try await drawn(renderer, picture(fault.rawValue))
        if fault.lasts {
          #expect(outcome == "late")
          try await eventually("the process is ended") {
            ends(pool) == before.merging([.late: 1]) { $0 + $1 }
          }
        } else {
          #expect(outcome.hasPrefix("the rendering process"))
          #expect(ends(pool) == before.merging([.crash: 1]) { $0 + $1 })
        }
        try await eventually("the next picture is drawn") {
          let order = try order(good)
          do {
            return try await renderer.render(order).image.bytes == expected
          } catch {
            // The process is slow to start.
            switch error {
            case MemeError.renderTimeout, MemeError.overloaded: return false
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
        try await eventually("the loop runs") { pool.load.busy > 0 }
        for _ in 0..<5 { #expect(try await drawn(renderer, good) == "drawn") }
        looping.cancel()
        try await eventually("the unwanted process is ended") { ends(pool) == [.unwanted: 1] }
        #expect(try await looping.value == "CancellationError()")
        #expect(try await drawn(renderer, good) == "drawn")
      }
    }

    @Test func `a pool with a picture that loops can be stopped`() async throws {
      let loop = try picture(Fault.loop.rawValue)
      try await withHelpers { pool, renderer in
        let looping = Task { try await drawn(renderer, loop) }
        try await eventually("the loop runs") { pool.load.busy > 0 }
        await pool.stop()
        // On a busy machine the process may have used up most of the time to start.
        let outcome = try await looping.value
        #expect(outcome == "late" || outcome.hasPrefix("overloaded"))
      }
    }

    @Test func `a picture that crashed two processes is rejected`() async throws {
      let (bad, other) = (
        try picture(Fault.segmentation.rawValue), try picture(Fault.segmentation.rawValue, 7)
      )
      try await withHelpers { pool, renderer in
        let crash = "the rendering process was killed by signal 11"
        var outcomes: [String] = []
        for file in [bad, bad, bad, other] { outcomes.append(try await drawn(renderer, file)) }
        // Only this file is rejected, not similar ones.
        #expect(outcomes == [crash, crash, "image broken-picture", crash])
        #expect(ends(pool) == [.crash: 3])
      }
    }

    @Test func `the end of an idle process is not blamed on a picture`() async throws {
      let meter = HelperMeter()
      let supply = HelperLauncher(Self.program(faulty: false), users: 1, meter)
      let drawer = HelperDrawer(
        supply, CrashedPictures(testDigest), meter, RenderMemory(capacity: 1 << 30))
      _ = try drawer.ready(RenderTicket(deadline: .now + .seconds(60)))
      let helper = try #require(drawer.helper)
      kill(helper.process, SIGKILL)
      try await eventually("the process has ended") { !helper.isWaiting }
      let ticket = RenderTicket(deadline: .now + .seconds(60))
      let head = try drawer.perform(
        RenderJob(.head, .sent(picture(661)), limits: .ofRenders), ticket)
      #expect(
        head.result == .head(PictureHead(size: PixelSize(width: 661, height: 40), format: .jpeg)))
      drawer.end()
      supply.stop()
    }

    @Test func `the end of a process that starts is not blamed on a picture`() throws {
      let (meter, crashes) = (HelperMeter(), CrashedPictures(testDigest))
      let supply = HelperLauncher(HelperProgram(path: "/bin/false"), users: 1, meter)
      let drawer = HelperDrawer(supply, crashes, meter, RenderMemory(capacity: 1 << 30))
      let file = try picture(660)
      for _ in 0..<3 {
        #expect(throws: MemeError.self) {
          try drawer.perform(
            RenderJob(.head, .sent(file), limits: .ofRenders),
            RenderTicket(deadline: .now + .seconds(60)))
        }
      }
      #expect(!crashes.refuses([file]))
      drawer.end()
      supply.stop()
    }

    @Test func `a process is replaced after a number of jobs`() async throws {
      let file = try picture(660)
      try await withHelpers(faulty: false) { pool, renderer in
        for _ in 0..<499 { _ = try await renderer.facts(of: file) }
        #expect(ends(pool) == [:])
        for _ in 0..<2 { _ = try await renderer.facts(of: file) }
        #expect(ends(pool) == [.age: 1])
      }
    }

    @Test func `a process is the first to be killed without memory, and ends fully`() throws {
      let meter = HelperMeter()
      let supply = HelperLauncher(Self.program(faulty: false), users: 1, meter)
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
    func `an idle process ends, and the next job takes the spare one`() async throws {
      let meter = HelperMeter()
      let supply = HelperLauncher(Self.program(faulty: false), users: 1, meter)
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
      // This process has drawn nothing; it only did what the start of a server requests.
      _ = try drawer.perform(RenderJob(.faces), ticket)
      #expect(drawer.helper != nil)
      _ = drawer.rest(after: .seconds(5))
      #expect(drawer.helper == nil)
      _ = try drawer.perform(head, ticket)
      #expect(meter.ends.first { $0.0 == .idle }?.1 == 2)
      drawer.end()
      supply.stop()
    }

    @Test func `a program that cannot be started is reported and retried`() async throws {
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

    @Test func `a program that is not a helper is ended`() throws {
      let supply = HelperLauncher(HelperProgram(path: "/bin/true"), users: 1, HelperMeter())
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
