/// The reason why a value from a client is invalid.
package struct InvalidValue: Error, Equatable {
  /// A stable kebab-case code, for programs.
  package let code: String
  /// One sentence, for people.
  package let message: String

  package init(code: String, message: String) { (self.code, self.message) = (code, message) }

  static func tooLong(limit: Int) -> InvalidValue {
    InvalidValue(code: "too-long", message: "Must have at most \(limit) characters.")
  }

  /// The value is none of `words`, which are all that the field takes.
  package static func notAllowed(among words: [String]) -> InvalidValue {
    InvalidValue(code: "not-allowed", message: "Must be one of: \(words.joined(separator: ", ")).")
  }

  static let nul = InvalidValue(code: "nul", message: "Must not contain U+0000.")
  package static let controlCharacter = InvalidValue(
    code: "control-character",
    message: "Must not contain control characters other than line breaks and tabs."
  )
}
