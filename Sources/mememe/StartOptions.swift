import DrawingHelper
package import Rendering
package import SQLite

/// How a server is started, apart from its settings: tests start hundreds of them in one process.
package struct StartOptions: Sendable {
  /// Whether it listens. One that does not is called through ``Server/service``.
  package var listens = true
  /// Whether a commit waits for the disk.
  package var synchronous = Synchronous.full
  /// The clock by which limits let more through; it never goes back.
  package var ticks: @Sendable () -> ContinuousClock.Instant = { .now }
  /// The place where pictures are drawn.
  package var drawing = DrawingPlace.here

  package init() {}
}

/// Where pictures are drawn.
package enum DrawingPlace: Sendable {
  /// In processes of this program.
  case helpers(HelperProgram)
  /// On threads of this process.
  case here
  /// By a pool that outlives the server.
  case pool(RenderPool)

  /// A pool, and whether it has to be stopped by whoever asked for it.
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
