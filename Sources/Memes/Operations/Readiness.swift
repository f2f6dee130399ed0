/// Tells whether the server can do its work.
package struct Readiness: Sendable {
  /// What is looked at.
  package enum Check: String, CaseIterable, Sendable { case database, renderer, disk }

  private let store: any MemeStore
  private let renderer: any MemeRenderer
  private let freeDiskBytes: @Sendable () -> Int?
  private let diskFloorBytes: Int

  /// - Parameters:
  ///   - freeDiskBytes: of the data folder's disk; `nil` where the system does not tell.
  ///   - diskFloorBytes: how many bytes must be free.
  package init(
    store: any MemeStore, renderer: any MemeRenderer,
    freeDiskBytes: @escaping @Sendable () -> Int?, diskFloorBytes: Int
  ) {
    (self.store, self.renderer) = (store, renderer)
    (self.freeDiskBytes, self.diskFloorBytes) = (freeDiskBytes, diskFloorBytes)
  }

  /// The checks that fail now; none where the server is ready.
  package func failures() async -> [Check] {
    var failures: [Check] = []
    do throws(MemeError) { try await store.checkHealth() } catch { failures.append(.database) }
    do throws(MemeError) { try await renderer.checkHealth() } catch {
      // Who has too much to draw draws.
      if case .overloaded = error {} else { failures.append(.renderer) }
    }
    if freeDiskBytes().map({ $0 < diskFloorBytes }) ?? true { failures.append(.disk) }
    return failures
  }
}
