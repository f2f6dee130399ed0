package import Memes

extension RenderPool {
  /// Creates a pool in which each worker has a helper process.
  package convenience init(
    settings: RendererSettings, helpers program: HelperProgram, digest: @escaping Digester
  ) {
    let meter = HelperMeter()
    let supply = HelperLauncher(program, users: settings.workers, meter)
    let crashes = CrashedPictures(digest)
    let memory = RenderMemory(capacity: settings.memoryBytes)
    self.init(
      settings: settings, helpers: meter, memory: memory, afterwards: { supply.stop() },
      makeDrawer: { HelperDrawer(supply, crashes, meter, memory) })
  }
}
