/// Metrics as a strict parser of the text format 0.0.4 reads them
/// (https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct Exposition: Sendable {
  package struct Sample: Sendable {
    package let name: String
    package let labels: [String: String]
    package let value: Double
  }

  package struct Family: Sendable {
    package let name: String
    package let help: String
    package let kind: String
    package fileprivate(set) var samples: [Sample] = []
  }

  package struct Failure: Error, CustomStringConvertible { package let description: String }

  package let families: [Family]

  /// - Throws: ``Failure`` with the first invalid line.
  package init(parsing text: String) throws(Failure) {
    guard text.hasSuffix("\n") else { throw Failure(description: "no newline at the end") }
    var families: [Family] = []
    var seen: Set<String> = []
    var help: (name: String, text: String)?
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      func fail(_ reason: String) -> Failure { Failure(description: "\(reason): \(line)") }
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      if line.hasPrefix("# HELP "), words.count == 4 {
        guard help == nil, !families.contains(where: { $0.name == words[2] }) else {
          throw fail("HELP in the wrong place")
        }
        help = (String(words[2]), String(words[3]))
      } else if line.hasPrefix("# TYPE "), words.count == 4 {
        guard let described = help, described.name == words[2], isName(words[2], colons: true),
          ["counter", "gauge", "histogram"].contains(words[3])
        else { throw fail("TYPE in the wrong place") }
        families.append(
          Family(name: described.name, help: described.text, kind: String(words[3])))
        help = nil
      } else {
        guard help == nil, let family = families.indices.last else { throw fail("no TYPE before") }
        guard let sample = Sample(line) else { throw fail("no sample") }
        guard Self.owns(families[family], sample.name) else { throw fail("another family's") }
        guard seen.insert(sample.key).inserted else { throw fail("a second time") }
        families[family].samples.append(sample)
      }
    }
    for family in families {
      if let reason = family.fault { throw Failure(description: "\(family.name): \(reason)") }
    }
    self.families = families
  }

  /// The value of the series with exactly these labels. 0 if there is none, like a counter that was never incremented.
  package func value(_ name: String, _ labels: [String: String] = [:]) -> Double {
    samples(name).first { $0.labels == labels }?.value ?? 0
  }

  package func samples(_ name: String) -> [Sample] {
    families.flatMap(\.samples).filter { $0.name == name }
  }

  package var names: [String] { families.map(\.name) }

  private static func owns(_ family: Family, _ name: String) -> Bool {
    family.kind == "histogram"
      ? ["_bucket", "_sum", "_count"].contains { family.name + $0 == name } : family.name == name
  }
}

private func isName(_ text: Substring, colons: Bool) -> Bool {
  guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
  return text.utf8.allSatisfy { byte in
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
    case UInt8(ascii: ":"): colons
    default: false
    }
  }
}

extension Exposition.Sample {
  fileprivate var key: String {
    "\(name) \(labels.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.debugDescription)" })"
  }

  /// `name{label="value",...} number`, and nothing else.
  fileprivate init?(_ line: Substring) {
    var rest = line
    let name = rest.prefix { $0 != "{" && $0 != " " }
    guard isName(name, colons: true) else { return nil }
    rest = rest.dropFirst(name.count)
    var labels: [String: String] = [:]
    if rest.first == "{" {
      repeat {
        rest = rest.dropFirst()
        let label = rest.prefix { $0 != "=" }
        rest = rest.dropFirst(label.count)
        guard isName(label, colons: false), rest.hasPrefix("=\""), labels[String(label)] == nil
        else { return nil }
        rest = rest.dropFirst(2)
        guard let value = Self.quoted(&rest) else { return nil }
        labels[String(label)] = value
      } while rest.first == ","
      guard rest.first == "}" else { return nil }
      rest = rest.dropFirst()
    }
    guard rest.first == " " else { return nil }
    let number = rest.dropFirst()
    guard number.utf8.allSatisfy({ $0 > 0x20 }) else { return nil }
    switch number {
    case "+Inf": value = .infinity
    case "-Inf": value = -.infinity
    case "NaN": value = .nan
    default:
      guard let number = Double(number), number.isFinite else { return nil }
      value = number
    }
    (self.name, self.labels) = (String(name), labels)
  }

  /// Reads up to the closing quotation mark. Quotation marks, backslashes and newlines are escaped.
  private static func quoted(_ rest: inout Substring) -> String? {
    var (value, units): ([UInt8], Substring.UTF8View) = ([], rest.utf8)
    while let next = units.popFirst() {
      switch next {
      case UInt8(ascii: "\""):
        rest = Substring(units)
        return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "\\"):
        switch units.popFirst() {
        case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "\\"): value.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "\""): value.append(UInt8(ascii: "\""))
        default: return nil
        }
      default: value.append(next)
      }
    }
    return nil
  }
}

extension Exposition.Family {
  /// A problem of the samples as a whole, if there is one.
  fileprivate var fault: String? {
    if kind == "counter" {
      if !name.hasSuffix("_total") { return "a counter's name ends in _total" }
      if samples.contains(where: { !($0.value >= 0) }) { return "a counter below 0" }
    }
    guard kind == "histogram" else { return nil }
    let series = Dictionary(grouping: samples) { sample in
      var labels = sample.labels
      labels["le"] = nil
      return labels
    }
    for samples in series.values {
      let ranges = samples.filter { $0.name.hasSuffix("_bucket") }
      let bounds = ranges.compactMap { $0.labels["le"] }
        .compactMap { $0 == "+Inf" ? .infinity : Double($0) }
      guard bounds.count == ranges.count, bounds.last == .infinity,
        zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 })
      else { return "bounds that do not ascend to +Inf" }
      guard zip(ranges, ranges.dropFirst()).allSatisfy({ $0.value <= $1.value }) else {
        return "ranges that are not cumulative"
      }
      let count = samples.first { $0.name == "\(name)_count" && $0.labels["le"] == nil }
      guard count?.value == ranges.last?.value,
        samples.contains(where: { $0.name == "\(name)_sum" && $0.labels["le"] == nil })
      else { return "no sum, or a count that is not that of the last range" }
    }
    return nil
  }
}
