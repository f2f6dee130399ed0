import Foundation
import Synchronization

/// A regular expression of the contract. Each is compiled once for all tests of this process.
struct Pattern {
  private let expression: NSRegularExpression

  private static let compiled = Mutex<[String: NSRegularExpression]>([:])

  /// - Returns: `nil` if the text is not a regular expression.
  init?(_ text: String) {
    let expression = Self.compiled.withLock { compiled -> NSRegularExpression? in
      if let known = compiled[text] { return known }
      // ECMA-262 writes NUL as \0, which ICU reads as the beginning of an octal number.
      let pattern = text.replacing("\\0", with: "\\x00")
      compiled[text] = try? NSRegularExpression(pattern: pattern)
      return compiled[text]
    }
    guard let expression else { return nil }
    self.expression = expression
  }

  func isFound(in text: String) -> Bool {
    expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
