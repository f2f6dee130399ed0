import Metrics
import Testing

struct QuantileTests {
  @Test func `a quantile is estimated within its bucket`() {
    let histogram = Histogram(bounds: [1, 2, 4])
    #expect(histogram.reading.quantile(0.5) == nil)
    for seconds in [0.5, 1.5, 1.5, 3] { histogram.observe(seconds: seconds) }
    #expect(histogram.reading.quantile(0) == 0)
    #expect(histogram.reading.quantile(0.25) == 1)
    #expect(histogram.reading.quantile(0.5) == 1.5)
    #expect(histogram.reading.quantile(0.75) == 2)
    #expect(histogram.reading.quantile(1) == 4)
  }

  @Test func `a value above all bounds counts as the last bound`() {
    let histogram = Histogram(bounds: [1, 2])
    histogram.observe(seconds: 100)
    #expect(histogram.reading.quantile(0.95) == 2)
  }
}
