package import Memes

extension RenderPool {
  /// A pool whose workers have a process each.
  package convenience init(
    settings: RendererSettings, helpers program: HelperProgram, digest: @escaping Digester
  ) {
    let meter = HelperMeter()
    let supply = HelperSupply(program, users: settings.workers, meter)
    let crashes = CrashedPictures(digest)
    let memory = RenderMemory(capacity: settings.memoryBytes)
    self.init(
      settings: settings, helpers: meter, memory: memory, afterwards: { supply.stop() },
      makeDrawer: { HelperDrawer(supply, crashes, meter, memory) })
  }
}
