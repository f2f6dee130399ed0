import Foundation

/// What an operator wrote for a setting, and the ways to read it.
struct SettingText {
  let text: String

  func nonEmpty() throws(InvalidSetting) -> String {
    guard !text.isEmpty else { throw InvalidSetting(reason: "must not be empty") }
    return text
  }

  func number(_ range: ClosedRange<Int>) throws(InvalidSetting) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw InvalidSetting(
        reason: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func flag() throws(InvalidSetting) -> Bool {
    guard let flag = Bool(text) else { throw InvalidSetting(reason: "must be true or false") }
    return flag
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>() throws(InvalidSetting) -> Word
  where Word.RawValue == String {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw InvalidSetting(reason: "must be one of \(words)")
    }
    return word
  }

  /// What can stand in a header field as a bearer token (RFC 6750 §2.1).
  func token() throws(InvalidSetting) -> String {
    guard (16...512).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw InvalidSetting(reason: "must have 16 to 512 characters of ASCII and no space")
    }
    return text
  }

  func publicURL() throws(InvalidSetting) -> PublicURL {
    guard let components = URLComponents(string: text), let scheme = components.scheme,
      ["http", "https"].contains(scheme), components.host?.isEmpty == false,
      components.query == nil, components.fragment == nil, components.user == nil
    else {
      throw InvalidSetting(reason: "must be an http or https URL without query or fragment")
    }
    return PublicURL(
      text: Self.withoutSlashes(text), path: Self.withoutSlashes(components.percentEncodedPath))
  }

  private static func withoutSlashes(_ text: String) -> String {
    var rest = text[...]
    while rest.last == "/" { rest.removeLast() }
    return String(rest)
  }
}

/// Why a setting's text cannot be taken.
struct InvalidSetting: Error, CustomStringConvertible {
  let reason: String

  var description: String { reason }
}
