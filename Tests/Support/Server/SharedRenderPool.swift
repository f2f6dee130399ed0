import DrawingHelper
import Foundation
import Rendering
import mememe

/// The threads that draw for the servers of this process. Loading fonts takes longer than most tests.
enum SharedRenderPool {
  private static let pool = WorkerDrawer.pool(
    RendererSettings(workers: ProcessInfo.processInfo.activeProcessorCount))

  /// - Returns: `nil` for a server whose settings require another pool, or other fonts.
  static func pool(for settings: Settings) -> RenderPool? {
    let standard = Settings()
    let isStandard =
      settings.renderWorkers == nil && settings.renderQueue == standard.renderQueue
      && settings.renderTimeoutSeconds == standard.renderTimeoutSeconds
      && settings.fontFolder == nil
    return isStandard ? pool : nil
  }
}
