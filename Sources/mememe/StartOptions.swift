package import Rendering
package import SQLite

/// How a server is started, apart from its settings: tests start hundreds of them in one process.
package struct StartOptions: Sendable {
  /// Whether it listens. One that does not is called through ``Server/service``.
  package var listens = true
  /// Whether a commit waits for the disk.
  package var synchronous = Synchronous.full
  /// Draws for it, and outlives it; `nil` for a pool of its own.
  package var renderPool: RenderPool?

  package init() {}
}
