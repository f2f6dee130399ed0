import Testing

@testable import mememe_client

/// How much is sent, as a person sees it.
struct ProgressBarTests {
  private func written(isScreen: Bool, _ body: (inout ProgressBar) -> Void) -> [String] {
    var written: [String] = []
    var bar = ProgressBar(isScreen: isScreen) { written.append($0) }
    body(&bar)
    return written
  }

  @Test func `on a screen it is a bar that goes away`() {
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

  @Test func `elsewhere it is a line for each quarter`() {
    let written = written(isScreen: false) { bar in
      for percent in 0...100 { bar.show(Double(percent) / 100) }
      bar.clear()
    }
    #expect(written == [25, 50, 75, 100].map { "sending: \($0) %\n" })
  }
}
