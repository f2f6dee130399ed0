/// One setting: its name, default, values and explanation, and how its text is parsed.
///
/// The default of a setting is the initial value of its property in ``Settings``, and stands only there. The texts of
/// `mememe help --settings` and docs/settings.md are made from this type.
package struct Setting: Sendable {
  package static let prefix = "MEMEME_"

  /// The default, as readers of the help see it.
  package enum Standard: Sendable, Equatable {
    /// A text that the setting accepts, and what it means if that is hard to read: `33554432`, `32 MiB`.
    case value(String, meaning: String? = nil)
    /// A description, for a default that the server derives from something else.
    case described(String)
  }

  /// The name without the prefix: `RENDER_MAX_EDGE`.
  package let name: String
  package let standard: Standard
  /// The permitted values.
  package let values: String
  /// What the setting does, in sentences. Code is between backticks.
  package let help: String
  let apply: @Sendable (inout Settings, SettingText) throws -> Void

  /// `MEMEME_RENDER_MAX_EDGE`
  package var variable: String { Self.prefix + name }

  /// `--render-max-edge`
  package var flag: String { "--" + name.lowercased().replacing("_", with: "-") }
}

extension Setting {
  /// The property of ``Settings`` that a setting changes.
  typealias Property<Value> = any WritableKeyPath<Settings, Value> & Sendable

  static func custom<Value: Sendable>(
    _ name: String, _ property: Property<Value>, standard: Standard,
    values: String, _ help: String, parse: @escaping @Sendable (SettingText) throws -> Value
  ) -> Setting {
    Setting(name: name, standard: standard, values: values, help: help) {
      $0[keyPath: property] = try parse($1)
    }
  }

  static func text(
    _ name: String, _ property: Property<String>, values: String,
    _ help: String
  ) -> Setting {
    custom(
      name, property, standard: .value(Settings()[keyPath: property]), values: values, help
    ) {
      try $0.nonEmpty()
    }
  }

  /// - Parameter unit: the unit in the plural, such as `seconds`; empty for a number without one.
  static func number(
    _ name: String, _ property: Property<Int>,
    _ range: ClosedRange<Int>, _ unit: String, _ help: String
  ) -> Setting {
    let number = Settings()[keyPath: property]
    return custom(
      name, property, standard: .value("\(number)", meaning: readable(number, unit)),
      values: numbers(range, unit), help
    ) {
      try $0.number(range)
    }
  }

  static func optionalNumber(
    _ name: String, _ property: Property<Int?>, standard: String,
    _ range: ClosedRange<Int>, _ unit: String, _ help: String
  ) -> Setting {
    custom(
      name, property, standard: .described(standard), values: numbers(range, unit), help
    ) {
      try $0.number(range)
    }
  }

  static func flag(
    _ name: String, _ property: Property<Bool>, _ help: String
  ) -> Setting {
    custom(
      name, property, standard: .value("\(Settings()[keyPath: property])"),
      values: "`true` or `false`", help
    ) {
      try $0.flag()
    }
  }

  static func word<Word: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ property: Property<Word>, _ help: String
  ) -> Setting where Word.RawValue == String {
    custom(
      name, property, standard: .value(Settings()[keyPath: property].rawValue),
      values: Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "), help
    ) {
      try $0.word()
    }
  }

  private static func numbers(_ range: ClosedRange<Int>, _ unit: String) -> String {
    "\(range.lowerBound) to \(range.upperBound)" + (unit.isEmpty ? "" : " \(unit)")
  }

  /// Large numbers of bytes and seconds in a larger unit: `32 MiB`, `30 days`.
  private static func readable(_ number: Int, _ unit: String) -> String? {
    let larger: [(size: Int, name: String)]
    switch unit {
    case "bytes": larger = [(1 << 30, "GiB"), (1 << 20, "MiB")]
    case "seconds": larger = [(86_400, "days")]
    default: return nil
    }
    return larger.first { number >= $0.size && number.isMultiple(of: $0.size) }
      .map { "\(number / $0.size) \($0.name)" }
  }
}
