/// Displays upload progress: as a bar on a terminal, otherwise as a line for every quarter.
struct ProgressBar {
  private let isScreen: Bool
  private let write: (String) -> Void
  private var quarters = 0
  private var isShown = false

  init(
    isScreen: Bool = Terminal.isScreen, write: @escaping (String) -> Void = Terminal.write
  ) { (self.isScreen, self.write) = (isScreen, write) }

  /// - Parameter fraction: The progress from 0 to 1.
  mutating func show(_ fraction: Double) {
    let percent = Int((min(max(fraction, 0), 1) * 100).rounded(.down))
    guard isScreen else {
      guard percent / 25 > quarters else { return }
      quarters = percent / 25
      return write("sending: \(quarters * 25) %\n")
    }
    let filled = percent * Self.width / 100
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    write("\r\(bar) \(percent) %")
    isShown = true
  }

  /// Moves to the beginning of the line and erases it (ECMA-48, EL).
  mutating func clear() {
    if isShown { write("\r\u{1B}[K") }
    isShown = false
  }

  private static let width = 40
}
