import Synchronization
import Testing

@testable import mememe

/// The progress lines of commands.
struct ProgressLineTests {
  @Test func `a terminal shows a bar with rate and time left`() {
    let stage = Stage()
    let line = stage.line("copying", .bytes, isScreen: true)
    line.show(0, of: 400_000_000)
    stage.pass(.seconds(2))
    line.show(100_000_000, of: 400_000_000)
    #expect(
      stage.written == [
        "\rcopying: ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 %, 0.0 of 400.0 MB\u{1B}[K",
        "\rcopying: ███████░░░░░░░░░░░░░░░░░░░░░░░ 25 %, 100.0 of 400.0 MB, 50.0 MB/s, 6 s left\u{1B}[K",
      ])
    line.clear()
    line.clear()
    #expect(stage.written.dropFirst(2) == ["\r\u{1B}[K"])
  }

  @Test func `the bar is updated ten times a second at most`() {
    let stage = Stage()
    let line = stage.line("drawing", .things("pictures"), isScreen: true)
    for done in 0..<100 {
      line.show(Int64(done), of: 1000)
      stage.pass(.milliseconds(10))
    }
    #expect(stage.written.count == 10)
  }

  @Test func `a log gets a plain line every ten seconds`() {
    let stage = Stage()
    let line = stage.line("drawing", .things("pictures"), isScreen: false)
    for done in 1...25 {
      line.show(Int64(done), of: 7500)
      stage.pass(.seconds(1))
    }
    line.show(7500, of: 7500)
    line.clear()
    #expect(
      stage.written == [
        "drawing: 0 %, 11 of 7500 pictures, 1.0/s, 2:04:49 left\n",
        "drawing: 0 %, 21 of 7500 pictures, 1.0/s, 2:04:39 left\n",
        "drawing: 100 %, 7500 of 7500 pictures, 300.0/s\n",
      ])
  }

  @Test func `progress of an earlier run does not count for the rate`() {
    let stage = Stage()
    let line = stage.line("drawing", .things("pictures"), isScreen: true)
    line.show(900, of: 1000)
    stage.pass(.seconds(10))
    line.show(950, of: 1000)
    #expect(stage.written.last?.contains("95 %, 950 of 1000 pictures, 5.0/s, 10 s left") == true)
  }

  @Test func `an empty task is complete`() {
    let stage = Stage()
    stage.line("copying", .bytes, isScreen: false).show(0, of: 0)
    #expect(stage.written == ["copying: 100 %, 0.0 of 0.0 MB\n"])
  }
}

/// A clock that stands still, and the lines written.
private final class Stage: Sendable {
  private let time = Mutex(ContinuousClock.now)
  private let texts = Mutex<[String]>([])

  var written: [String] { texts.withLock { $0 } }

  func pass(_ duration: Duration) { time.withLock { $0 += duration } }

  func line(_ verb: String, _ unit: ProgressLine.Unit, isScreen: Bool) -> ProgressLine {
    ProgressLine(
      verb, unit, isScreen: isScreen, now: { self.time.withLock { $0 } },
      write: { text in self.texts.withLock { $0.append(text) } })
  }
}
