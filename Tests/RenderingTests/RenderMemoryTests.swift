#if os(Linux)
  import Bytes
  import CVips
  import Eventually
  import Foundation
  import Memes
  import Support
  import Synchronization
  import Testing

  @testable import DrawingHelper
  @testable import Imaging
  @testable import Rendering

  /// The memory that jobs claim before they use it.
  struct RenderMemoryTests {
    /// A claim on its own thread, because it blocks.
    private final class Claim: Sendable {
      private let outcome = Mutex<Bool?>(nil)

      init(
        _ bytes: Int, of memory: RenderMemory,
        unless isOver: @escaping @Sendable () -> Bool = { false }
      ) {
        Thread { [self] in
          let isGranted = memory.claim(bytes, unless: isOver)
          outcome.withLock { $0 = isGranted }
        }.start()
      }

      var isGranted: Bool {
        get async throws {
          try await eventually("the claim is decided") { outcome.withLock { $0 } != nil }
          return outcome.withLock { $0 == true }
        }
      }
    }

    @Test func `claims that fit are granted, and others wait for their turn`() async throws {
      let memory = RenderMemory(capacity: 100)
      #expect(try await Claim(60, of: memory).isGranted)
      #expect(try await Claim(40, of: memory).isGranted)
      let large = Claim(90, of: memory)
      try await eventually("the claim waits") { memory.waiting == 1 }
      // It would fit, but it comes after the other claim.
      let small = Claim(10, of: memory)
      try await eventually("both claims wait") { memory.waiting == 2 }
      memory.release(60)
      #expect(memory.claimed == 40 && memory.waiting == 2)
      memory.release(40)
      #expect(try await large.isGranted)
      #expect(try await small.isGranted)
      #expect(memory.claimed == 100)
    }

    @Test func `a claim above the capacity is granted alone`() async throws {
      let memory = RenderMemory(capacity: 100)
      #expect(try await Claim(1, of: memory).isGranted)
      let huge = Claim(1000, of: memory)
      try await eventually("the claim waits") { memory.waiting == 1 }
      memory.release(1)
      #expect(try await huge.isGranted)
      let next = Claim(1, of: memory)
      try await eventually("the claim waits") { memory.waiting == 1 }
      memory.release(1000)
      #expect(try await next.isGranted)
      memory.release(1)
      #expect(memory.claimed == 0)
    }

    @Test func `a canceled claim does not block others`() async throws {
      let memory = RenderMemory(capacity: 100)
      #expect(try await Claim(50, of: memory).isGranted)
      let ticket = RenderTicket(deadline: .now + .seconds(3600))
      let large = Claim(90, of: memory) { ticket.isCancelled }
      try await eventually("the claim waits") { memory.waiting == 1 }
      let small = Claim(50, of: memory)
      try await eventually("both claims wait") { memory.waiting == 2 }
      ticket.cancel()
      #expect(try await large.isGranted == false)
      #expect(try await small.isGranted)
      #expect(memory.claimed == 100)
    }

    private static func noise(_ width: Int, _ height: Int, channels: Int) throws -> PixelBuffer {
      let pixels = PixelBuffer()
      pixels.reshape(width: width, height: height, channels: channels)
      let random = try #require(fopen("/dev/urandom", "r"))
      defer { fclose(random) }
      let count = fread(pixels.pixels.baseAddress, 1, pixels.pixels.count, random)
      try #require(count == pixels.pixels.count)
      return pixels
    }

    /// Noise in the formats that need the most memory.
    private static func file(_ form: String) throws -> Bytes {
      let (width, height) = (2400, 2000)
      func save(
        _ saver: String, channels: Int, samples: VipsInterpretation = VIPS_INTERPRETATION_sRGB,
        _ set: (borrowing VipsCall) -> Void = { _ in }
      ) throws -> Bytes {
        let pixels = try noise(width, height, channels: channels)
        defer { withExtendedLifetime(pixels) {} }
        let convert = try VipsCall("colourspace")
        convert.set("in", try pixels.handle())
        convert.set("space", Int(samples.rawValue))
        let call = try VipsCall(saver)
        call.set("in", try convert.image())
        set(call)
        return try call.bytes()
      }
      return switch form {
      case "baseline.jpg": try save("jpegsave_buffer", channels: 3)
      case "progressive.jpg":
        try save("jpegsave_buffer", channels: 3) {
          $0.set("interlace", 1)
          $0.set("subsample-mode", 2)
        }
      case "png": try save("pngsave_buffer", channels: 4) { $0.set("compression", 0) }
      case "interlaced.png":
        try save("pngsave_buffer", channels: 4, samples: VIPS_INTERPRETATION_RGB16) {
          $0.set("compression", 0)
          $0.set("interlace", 1)
        }
      case "gif": try save("gifsave_buffer", channels: 3) { $0.set("effort", 1) }
      case "webp": try save("webpsave_buffer", channels: 4) { $0.set("effort", 0) }
      case "lossless.webp":
        try save("webpsave_buffer", channels: 4) {
          $0.set("lossless", 1)
          $0.set("effort", 0)
        }
      case "avif", "deep.avif":
        try save("heifsave_buffer", channels: 4) {
          $0.set("compression", 4)
          $0.set("effort", 0)
          $0.set("Q", 30)
          $0.set("subsample-mode", 2)
          $0.set("bitdepth", form == "avif" ? 8 : 12)
        }
      default: throw WireFormatError()
      }
    }

    private static func peak(_ process: pid_t, _ body: () throws -> Void) throws -> Int {
      func figure(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return try #require(line.flatMap { Int($0.split(separator: " ")[1]) }) * 1024
      }
      try "5".write(toFile: "/proc/\(process)/clear_refs", atomically: false, encoding: .utf8)
      let before = try figure("VmRSS")
      try body()
      return try figure("VmHWM") - before
    }

    /// The peak memory of a job, and the memory that it claims.
    private func memory(
      _ file: Bytes, maxEdge: Int, _ format: OutputFormat
    ) throws -> (peak: Int, stated: Int) {
      let meter = HelperMeter()
      var program = HelperProgram(path: ServerProcess.executable.path)
      program.confinement = .off
      let supply = HelperLauncher(program, users: 1, meter)
      let memory = RenderMemory(capacity: 1 << 40)
      let drawer = HelperDrawer(supply, CrashedPictures(testDigest), meter, memory)
      defer {
        drawer.end()
        supply.stop()
      }
      _ = try drawer.ready(RenderTicket(deadline: .now + .seconds(60)))
      let process = try #require(drawer.helper).process
      var limits = PictureLimits.ofRenders
      limits.kinds = Set(PictureFormat.allCases)
      let task = MemeTask(
        recipe: Recipe(), maxEdge: try MaxEdge(pixels: maxEdge), format: format,
        acceptableFormats: [format], thumbnails: false)
      let ticket = RenderTicket(deadline: .now + .seconds(300))
      let peak = try Self.peak(process) {
        _ = try drawer.perform(RenderJob(.meme(task), .sent(file), limits: limits), ticket)
      }
      let header = try limits.header(of: file)
      let size = PictureShape(maximumEdge: maxEdge).size(of: PixelSize(header))
      return (peak - file.count, JobMemory.still(header, output: size, [format]))
    }

    /// An allowance for the buffers of threads and strips.
    private static let slack = 32 << 20

    @Test(arguments: [
      "baseline.jpg", "progressive.jpg", "png", "interlaced.png", "gif", "webp", "lossless.webp",
      "avif", "deep.avif",
    ])
    func `reading takes no more memory than claimed`(form: String) throws {
      let (peak, stated) = try memory(Self.file(form), maxEdge: 400, .jpeg)
      #expect(peak <= stated + Self.slack, "\(peak >> 20) of \(stated >> 20) MB")
    }

    @Test(arguments: OutputFormat.allCases, [3, 4])
    func `writing takes no more memory than claimed`(format: OutputFormat, channels: Int) throws {
      let pixels = try Self.noise(1700, 1200, channels: channels)
      let (peak, stated) = try memory(PictureEncoder.png(pixels), maxEdge: 4096, format)
      #expect(peak <= stated + Self.slack, "\(peak >> 20) of \(stated >> 20) MB")
    }

    @Test func `jobs that do not fit together run one after the other`() async throws {
      var settings = RendererSettings(workers: 2)
      settings.memoryBytes = 1
      // The wait counts, and a busy machine may be slow to see that both wait.
      settings.timeoutSeconds = 300
      let pool = RenderPool(
        settings: settings, helpers: HelperProgram(path: ServerProcess.executable.path),
        digest: testDigest)
      let memory = try #require(pool.memory)
      let renderer = PooledRenderer(
        pool: pool, limits: PictureLimits(pixels: 10_000_000), digest: testDigest)
      let file = try PictureEncoder.webp(try Self.noise(3000, 3000, channels: 3))
      #expect(memory.claim(5) { false })
      let jobs = try (0..<2).map { _ in
        let order = try order(file, maxEdge: 100, thumbnails: false)
        return Task { try await renderer.render(order).image.facts.size.width }
      }
      try await eventually("both jobs wait") { memory.waiting == 2 }
      #expect(memory.claimed == 5)
      memory.release(5)
      for job in jobs { #expect(try await job.value == 100) }
      try await eventually("all memory is released") { memory.claimed == 0 }
      await pool.stop()
    }

    @Test func `a job that claims only its cost does not wait for memory`() async throws {
      var settings = RendererSettings(workers: 1)
      settings.memoryBytes = 1
      let pool = RenderPool(
        settings: settings, helpers: HelperProgram(path: ServerProcess.executable.path),
        digest: testDigest)
      let memory = try #require(pool.memory)
      let renderer = PooledRenderer(
        pool: pool, limits: PictureLimits(pixels: 10_000_000), digest: testDigest)
      #expect(memory.claim(5) { false })
      // Two megapixels, which take a few bytes each.
      let file = try PictureEncoder.jpeg(try Self.noise(1600, 1200, channels: 3), quality: 80)
      let image = try await renderer.render(try order(file, thumbnails: false)).image
      #expect(image.facts.size.width == 1600)
      #expect(memory.claimed == 5 && memory.waiting == 0)
      await pool.stop()
    }

    @Test func `cancelling a job that waits for memory does not end its process`() async throws {
      let meter = HelperMeter()
      let supply = HelperLauncher(
        HelperProgram(path: ServerProcess.executable.path), users: 1, meter)
      let memory = RenderMemory(capacity: 1)
      let drawer = HelperDrawer(supply, CrashedPictures(testDigest), meter, memory)
      #expect(memory.claim(5) { false })
      let file = try PictureEncoder.webp(try Self.noise(3000, 3000, channels: 3))
      let task = MemeTask(
        recipe: Recipe(), maxEdge: try MaxEdge(pixels: 100), format: .jpeg,
        acceptableFormats: [.jpeg], thumbnails: false)
      let job = RenderJob(.meme(task), .sent(file), limits: .ofRenders)
      let ticket = RenderTicket(deadline: .now + .seconds(300))
      // Like a client that disconnects.
      Thread {
        while memory.waiting == 0 { usleep(1000) }
        ticket.cancel()
      }.start()
      let error = #expect(throws: MemeError.self) { _ = try drawer.perform(job, ticket) }
      guard case .renderTimeout = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(memory.waiting == 0 && memory.claimed == 5)
      memory.release(5)
      let process = drawer.helper?.process
      _ = try drawer.perform(job, RenderTicket(deadline: .now + .seconds(300)))
      #expect(drawer.helper?.process == process && process != nil)
      #expect(memory.claimed == 0)
      drawer.end()
      supply.stop()
    }
  }
#endif
