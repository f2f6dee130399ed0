import Bytes
import Metrics
import Support
import Testing

struct MetricsTextTests {
  private func parse(_ text: consuming MetricsText) throws -> Exposition {
    try Exposition(parsing: try #require(text.finish().utf8Text))
  }

  @Test func `counters and gauges are written as they are`() throws {
    var text = MetricsText()
    text.counter("c_total", "Things.", 3)
    text.gauge("g", "A \\ and a\nline.", 0.25)
    text.gauge("whole", "Whole.", 2.0)
    #expect(
      text.finish().utf8Text == """
        # HELP c_total Things.
        # TYPE c_total counter
        c_total 3
        # HELP g A \\\\ and a\\nline.
        # TYPE g gauge
        g 0.25
        # HELP whole Whole.
        # TYPE whole gauge
        whole 2

        """)
  }

  @Test func `any label value survives a round trip`() throws {
    let hostile = "a\"} 1\nfake{x=\"\\"
    var text = MetricsText()
    text.describe("m_total", .counter, "Of a hostile label.")
    text.sample("m_total", [("l", hostile), ("other", "x")], 7)
    let metrics = try parse(text)
    #expect(metrics.samples("m_total").count == 1)
    #expect(metrics.value("m_total", ["l": hostile, "other": "x"]) == 7)
    #expect(metrics.samples("fake").isEmpty)
  }

  @Test func `histogram buckets are cumulative`() throws {
    let histogram = Histogram(bounds: [0.1, 1])
    for seconds in [0.1, 0.05, 0.5, 3, 3] { histogram.observe(seconds: seconds) }
    histogram.observe(.milliseconds(250))
    var text = MetricsText()
    text.histogram("h_seconds", "Times.", histogram)
    let metrics = try parse(text)
    #expect(metrics.value("h_seconds_bucket", ["le": "0.1"]) == 2)
    #expect(metrics.value("h_seconds_bucket", ["le": "1"]) == 4)
    #expect(metrics.value("h_seconds_bucket", ["le": "+Inf"]) == 6)
    #expect(metrics.value("h_seconds_count") == 6)
    #expect(abs(metrics.value("h_seconds_sum") - 6.9) < 1e-6)
    #expect(histogram.count == 6)
  }

  @Test func `an invalid duration counts as zero`() {
    let histogram = Histogram(bounds: [1])
    for seconds in [-1, .nan, .infinity, 1e300] { histogram.observe(seconds: seconds) }
    #expect(histogram.reading.sumSeconds == 0)
    #expect(histogram.count == 4)
  }

  @Test func `infinities and NaN are written as the format requires`() throws {
    var text = MetricsText()
    text.gauge("a", "A.", Double.infinity)
    text.gauge("b", "B.", -Double.infinity)
    text.gauge("c", "C.", Double.nan)
    text.gauge("d", "D.", 1e-7)
    text.gauge("e", "E.", 1e300)
    let metrics = try parse(text)
    #expect(metrics.value("a") == .infinity)
    #expect(metrics.value("b") == -.infinity)
    #expect(metrics.value("c").isNaN)
    #expect(metrics.value("d") == 1e-7)
    #expect(metrics.value("e") == 1e300)
  }

  @Test func `additions from many threads are not lost`() async {
    let counter = Counter()
    let tally = Tally(count: 2)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<1000 {
            counter.add()
            tally.add(2, at: 1)
          }
        }
      }
    }
    #expect(counter.value == 8000)
    #expect((tally[0], tally[1]) == (0, 16_000))
  }

  @Test func `an index outside of a tally is ignored`() {
    let tally = Tally(count: 1)
    tally.add(at: 1)
    tally.add(at: -1)
    #expect((tally[-1], tally[0], tally[1]) == (0, 0, 0))
  }

  @Test func `a page keeps the order of its parts`() async throws {
    let page = MetricsPage()
    page.add { $0.gauge("first", "1.", 1) }
    page.add { $0.gauge("second", "2.", 2) }
    let text = try #require(await page.text().utf8Text)
    #expect(try Exposition(parsing: text).names == ["first", "second"])
  }

  @Test(arguments: [
    "a 1\n", "# HELP a x\na 1\n", "# HELP a x\n# TYPE a gauge\na 1",
    "# HELP a x\n# TYPE a gauge\nb 1\n",
    "# HELP a x\n# TYPE a gauge\na{l=\"\\x\"} 1\n", "# HELP a x\n# TYPE a gauge\na 1\na 1\n",
    "# HELP a x\n# TYPE a gauge\na one\n", "# HELP a x\n# TYPE a counter\na 1\n",
    "# HELP a x\n# TYPE a gauge\n\na 1\n", "# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 1\n",
  ])
  func `the test parser rejects invalid exposition text`(text: String) {
    #expect(throws: Exposition.Failure.self) { try Exposition(parsing: text) }
  }
}
