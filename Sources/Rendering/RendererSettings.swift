/// The bounds within which memes are drawn.
package struct RendererSettings: Sendable, Equatable {
  /// Threads that draw at the same time, each with pixels of its own.
  package var workers: Int
  /// Orders that may wait while every worker is busy.
  package var queue = 256
  /// From when an order is given until it must be done, waiting included.
  package var timeoutSeconds = 20
  /// The bound on width × height × frames of an uploaded picture.
  package var maximumPixels = 100_000_000

  package init(workers: Int) { self.workers = workers }

  /// What is wrong with the settings, as sentences for the person who starts the server; empty where nothing is.
  package var problems: [String] {
    var problems: [String] = []
    if !(1...256).contains(workers) { problems.append("Render workers: 1 to 256.") }
    if !(0...100_000).contains(queue) { problems.append("Render queue: 0 to 100000.") }
    if !(1...3600).contains(timeoutSeconds) {
      problems.append("Render timeout: 1 to 3600 seconds.")
    }
    if !(1...2_000_000_000).contains(maximumPixels) {
      problems.append("Pixels of a picture: 1 to 2000000000.")
    }
    return problems
  }
}
