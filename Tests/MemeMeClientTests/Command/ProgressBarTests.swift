import Testing

@testable import mememe_client

/// The progress display of the command.
struct ProgressBarTests {
  private func written(isScreen: Bool, _ body: (inout ProgressBar) -> Void) -> [String] {
    var written: [String] = []
    var bar = ProgressBar(isScreen: isScreen) { written.append($0) }
    body(&bar)
    return written
  }

  @Test func `on a terminal the progress is a bar that is cleared`() {
    let written = written(isScreen: true) { bar in
      bar.show(0.5)
      bar.show(7)
      bar.clear()
      bar.clear()
    }
    let half = String(repeating: "█", count: 20) + String(repeating: "░", count: 20)
    #expect(
      written == ["\r\(half) 50 %", "\r\(String(repeating: "█", count: 40)) 100 %", "\r\u{1B}[K"])
  }

  @Test func `elsewhere the progress is a line for each quarter`() {
    let written = written(isScreen: false) { bar in
      for percent in 0...100 { bar.show(Double(percent) / 100) }
      bar.clear()
    }
    #expect(written == [25, 50, 75, 100].map { "sending: \($0) %\n" })
  }
}
