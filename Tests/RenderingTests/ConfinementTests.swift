#if os(Linux)
  import Bytes
  import Foundation
  import Imaging
  import Memes
  import Support
  import Testing

  @testable import Rendering

  /// Attempts of a picture that has taken over the drawing process. `Tests/FaultyDecoder` makes them; the width of the
  /// picture selects the attempt.
  struct ConfinementTests {
    private static let refused = Array(0...21)
    private static let deadly = Array(30...33)
    /// Attempts that Landlock refuses and seccomp does not.
    private static let reads = Array(0...2)

    private func outcomes(
      of ways: [Int], _ demand: Confinement.Demand, forbidding calls: String? = nil
    ) async throws -> (outcomes: [Int: String], confinement: Confinement) {
      var program = HelperProgram(path: ServerProcess.executable.path)
      program.additions["LD_PRELOAD"] = ServerProcess.product("libFaultyDecoder.so").path
      program.additions["FAULTY_OUTSIDE"] = calls
      program.confinement = demand
      let pool = RenderPool(
        settings: RendererSettings(workers: 1), helpers: program, digest: testDigest)
      let renderer = PooledRenderer(
        pool: pool, limits: PictureLimits(pixels: 1_000_000), digest: testDigest)
      var outcomes: [Int: String] = [:]
      for way in ways {
        let pixels = PixelBuffer()
        pixels.reshape(width: 700 + way, height: 8, channels: 3)
        pixels.pixels.initializeMemory(as: UInt8.self, repeating: 128)
        let order = try order(try PictureEncoder.jpeg(pixels, quality: 80))
        do {
          _ = try await renderer.render(order)
          outcomes[way] = "refused"
        } catch {
          switch error {
          case MemeError.rendering(HelperFailure.ended(signal: 0)): outcomes[way] = "done"
          case MemeError.rendering(HelperFailure.ended(signal: SIGSYS)): outcomes[way] = "ended"
          default: outcomes[way] = "\(error)"
          }
        }
      }
      await pool.stop()
      return (outcomes, pool.helpers?.confinement ?? [])
    }

    @Test func `a confined process cannot escape`() async throws {
      let (outcomes, confinement) = try await outcomes(of: Self.refused + Self.deadly, .require)
      #expect(confinement.contains(.calls))
      for way in Self.refused where confinement.contains(.files) || !Self.reads.contains(way) {
        #expect(outcomes[way] == "refused", "way \(way)")
      }
      for way in Self.deadly { #expect(outcomes[way] == "ended", "way \(way)") }
    }

    @Test func `an unconfined process can do all of this`() async throws {
      // Unlinking comes after creating: each process continues with the files of the previous one.
      let (outcomes, confinement) = try await outcomes(of: Self.refused + Self.deadly, .off)
      #expect(confinement == [])
      for (way, outcome) in outcomes { #expect(outcome == "done", "way \(way)") }
    }

    @Test func `under an older unit's filter pictures are drawn, unconfined`() async throws {
      let (outcomes, confinement) = try await outcomes(of: [0, 6], .try, forbidding: "all")
      #expect(confinement == [])
      #expect(outcomes == [0: "done", 6: "done"])
    }

    @Test func `under an older container engine's filter, calls are confined`() async throws {
      let (outcomes, confinement) = try await outcomes(
        of: Self.refused + Self.deadly, .require, forbidding: "landlock")
      #expect(confinement == .calls)
      for (way, outcome) in outcomes {
        let expected =
          Self.reads.contains(way) ? "done" : Self.deadly.contains(way) ? "ended" : "refused"
        #expect(outcome == expected, "way \(way)")
      }
    }

    @Test func `pictures over 100 MB are drawn, which libvips would keep in a file`() async throws {
      let picture = PixelBuffer()
      picture.reshape(width: 6000, height: 5000, channels: 4)
      picture.pixels.initializeMemory(as: UInt8.self, repeating: 90)
      var files = ["png": try PictureEncoder.png(picture)]
      files["webp"] = try PictureEncoder.webp(picture)
      files["gif"] = try PictureEncoder.gif(picture)
      picture.reshape(width: 6000, height: 5000, channels: 3)
      files["jpeg"] = try PictureEncoder.jpeg(picture, quality: 80)
      var program = HelperProgram(path: ServerProcess.executable.path)
      program.confinement = .require
      let pool = RenderPool(
        settings: RendererSettings(workers: 1), helpers: program, digest: testDigest)
      let renderer = PooledRenderer(
        pool: pool, limits: PictureLimits(pixels: 30_000_000), digest: testDigest)
      for (kind, file) in files {
        let order = try order(file, maxEdge: 200, thumbnails: false)
        do { _ = try await renderer.render(order) } catch {
          Issue.record("\(kind): \(error)")
        }
      }
      await pool.stop()
    }

    @Test func `nothing is drawn if required confinement is not available`() async throws {
      let (outcomes, _) = try await outcomes(of: [-40], .require, forbidding: "all")
      #expect(outcomes[-40]?.contains("cannot confine") == true)
    }
  }
#endif
