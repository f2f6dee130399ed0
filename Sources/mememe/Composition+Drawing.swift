import Foundation
import Memes
import Rendering

extension Server {
  /// The limits for uploaded pictures. By default, AVIF and HEIC are accepted only if their decoders are confined.
  ///
  /// - Throws: ``SettingError`` if this machine cannot read a required format, or cannot confine the decoders
  ///   although the settings require it.
  static func pictureLimits(
    _ settings: Settings, of pool: RenderPool
  ) async throws -> PictureLimits {
    var limits = PictureLimits(pixels: settings.maxPixels)
    limits.frames = settings.maxFrames
    limits.kinds = Set(settings.decoders ?? PictureFormat.allCases)
    let missing: [PictureFormat]
    let renderer = PooledRenderer(pool: pool, limits: limits, digest: digest)
    do { missing = try await renderer.unreadable() } catch {
      guard case MemeError.rendering(HelperFailure.unconfined) = error else { throw error }
      throw SettingError(
        name: "MEMEME_CONFINE",
        reason: "is require, but the system does not allow seccomp in the rendering processes")
    }
    if settings.decoders == nil {
      let isConfined = pool.helpers?.confinement.contains(.calls) ?? false
      limits.kinds = Set(isConfined ? PictureFormat.allCases : PictureFormat.standard)
        .subtracting(missing)
    }
    let needed = settings.decoders ?? PictureFormat.standard
    let lacking = needed.filter(missing.contains).map(\.rawValue)
    guard lacking.isEmpty else {
      throw SettingError(
        name: "MEMEME_DECODERS",
        reason: "libvips on this machine cannot read \(lacking.joined(separator: ", "))")
    }
    return limits
  }

  static func rendererSettings(_ settings: Settings) -> RendererSettings {
    var renderer = RendererSettings(
      workers: settings.renderWorkers ?? ProcessInfo.processInfo.activeProcessorCount)
    renderer.queue = settings.renderQueue
    renderer.timeoutSeconds = settings.renderTimeoutSeconds
    return renderer
  }
}
