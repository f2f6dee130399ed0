package import Bytes

/// Writes metrics in the Prometheus text format, version 0.0.4
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
///
/// Names of metrics and labels must be constants of the program. Values of labels may contain any text and are escaped.
package struct MetricsText: ~Copyable {
  package typealias Label = (name: String, value: String)

  private var text: [UInt8] = []

  package init(capacity: Int = 32 << 10) { text.reserveCapacity(capacity) }

  /// Returns the whole text. Call it last.
  package consuming func finish() -> Bytes { Bytes(text) }

  /// Writes a counter: a value that only increases, and that restarts with the process.
  package mutating func counter(_ name: String, _ help: String, _ value: Int) {
    describe(name, .counter, help)
    sample(name, [], value)
  }

  package mutating func counter(_ name: String, _ help: String, _ value: Double) {
    describe(name, .counter, help)
    sample(name, [], value)
  }

  /// Writes a gauge: a current value.
  package mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    describe(name, .gauge, help)
    sample(name, [], value)
  }

  package mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    describe(name, .gauge, help)
    sample(name, [], value)
  }

  /// Writes a histogram of durations.
  package mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
    describe(name, .histogram, help)
    sample(name, [], histogram)
  }

  package enum Kind: String { case counter, gauge, histogram }

  /// Writes the lines that must precede a metric's samples once.
  package mutating func describe(_ name: String, _ kind: Kind, _ help: String) {
    put("# HELP \(name) ")
    putEscaped(help, quotes: false)
    put("\n# TYPE \(name) \(kind.rawValue)\n")
  }

  package mutating func sample(_ name: String, _ labels: [Label], _ value: Int) {
    put(name)
    put(labels)
    put(" \(value)\n")
  }

  package mutating func sample(_ name: String, _ labels: [Label], _ value: Double) {
    put(name)
    put(labels)
    put(" \(Self.text(of: value))\n")
  }

  /// Writes the cumulative buckets of a histogram, then its sum and its count.
  package mutating func sample(_ name: String, _ labels: [Label], _ histogram: Histogram) {
    let reading = histogram.reading
    var count = 0
    for (index, more) in reading.counts.enumerated() {
      count += more
      let bound = index < reading.bounds.count ? reading.bounds[index] : .infinity
      sample("\(name)_bucket", labels + [("le", Self.text(of: bound))], count)
    }
    sample("\(name)_sum", labels, reading.sumSeconds)
    sample("\(name)_count", labels, count)
  }

  private mutating func put(_ labels: [Label]) {
    guard !labels.isEmpty else { return }
    var separator = "{"
    for (name, value) in labels {
      put("\(separator)\(name)=\"")
      putEscaped(value, quotes: true)
      put("\"")
      separator = ","
    }
    put("}")
  }

  private mutating func put(_ string: String) { text.append(contentsOf: string.utf8) }

  private mutating func putEscaped(_ string: String, quotes: Bool) {
    for byte in string.utf8 {
      switch byte {
      case 0x0A: put("\\n")
      case UInt8(ascii: "\\"): put("\\\\")
      case UInt8(ascii: "\"") where quotes: put("\\\"")
      default: text.append(byte)
      }
    }
  }

  private static func text(of value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    // Write a whole number without decimals, such as le="1", as other exporters do.
    return value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
