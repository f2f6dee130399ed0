import DrawingHelper
package import Rendering
import SQL
package import SQLite

/// Options for starting a server that are not settings. Tests start hundreds of servers in one process.
package struct StartOptions: Sendable {
  /// Whether the server listens on a port. If not, callers use ``Server/service``.
  package var listens = true
  /// Whether a commit waits for the disk.
  package var synchronous = Synchronous.full
  /// The monotonic clock of the rate limits.
  package var ticks: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The place where pictures are drawn.
  package var drawing = DrawingPlace.here
  /// Called if the server may no longer use its database, because a newer version has migrated it.
  package var stop: @Sendable () -> Void = {}

  package init() {}
}

/// The place where pictures are drawn.
package enum DrawingPlace: Sendable {
  /// In separate processes of this program.
  case helpers(HelperProgram)
  /// On threads of this process.
  case here
  /// In a pool that outlives the server.
  case pool(RenderPool)

  /// Returns a pool, and whether the caller must stop it.
  func pool(
    _ renderer: RendererSettings, for settings: Settings
  ) -> (RenderPool, isOwn: Bool) {
    switch self {
    case .pool(let pool): return (pool, false)
    case .helpers(var program):
      var renderer = renderer
      renderer.memoryBytes = settings.renderMemory ?? MachineMemory().bytes / 2
      program.fontFolder = settings.fontFolder
      program.shelfBytes = renderer.shelfBytesOfWorker
      program.memoryBytes = HelperProgram.memoryBytes(forPixels: settings.maxPixels)
      program.confinement = settings.confinement
      program.showsErrors = settings.logLevel == .debug
      return (RenderPool(settings: renderer, helpers: program, digest: Server.digest), true)
    case .here:
      return (WorkerDrawer.pool(renderer, fonts: settings.fontFolder), true)
    }
  }
}
