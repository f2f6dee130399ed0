/// An error while parsing YAML, with its position.
package struct YAMLError: Error, Equatable {
  package enum Reason: Equatable, Sendable {
    /// The text is not valid YAML. Has the parser's message.
    case syntax(String)
    /// The text has more bytes than ``YAMLLimits/bytes``.
    case tooLarge
    /// The document has more than ``YAMLLimits/nodes`` values.
    case tooManyNodes
    /// Sequences and mappings nest deeper than ``YAMLLimits/depth``.
    case tooDeep
    /// A mapping has the same key twice.
    case duplicateKey(String)
    /// A mapping's key is a sequence or a mapping.
    case keyIsNotScalar
    /// An anchor or an alias. They are rejected so that a small text cannot expand to a large value.
    case aliasNotSupported
    /// A tag other than `!!str` and `!`.
    case tagNotSupported(String)
    /// The value is an integer that does not fit in 64 bits.
    case invalidScalar(String)
    /// The text has no document, or more than one.
    case notOneDocument
    /// The parser could not allocate memory.
    case outOfMemory
  }

  package let reason: Reason
  /// The line, starting at 1.
  package let line: Int
  /// The column in characters, starting at 1.
  package let column: Int

  package init(_ reason: Reason, line: Int, column: Int) {
    (self.reason, self.line, self.column) = (reason, line, column)
  }
}

extension YAMLError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(reason.text)" }
}

extension YAMLError.Reason {
  fileprivate var text: String {
    switch self {
    case .syntax(let message): "Invalid YAML: \(message)."
    case .tooLarge: "The text is too long."
    case .tooManyNodes: "There are too many values."
    case .tooDeep: "Sequences and mappings are nested too deeply."
    case .duplicateKey(let key): "The key \(key) is there twice."
    case .keyIsNotScalar: "A key must not be a sequence or a mapping."
    case .aliasNotSupported: "Anchors and aliases are not supported."
    case .tagNotSupported(let tag): "The tag \(tag) is not supported."
    case .invalidScalar(let number): "The number \(number) is too large."
    case .notOneDocument: "There must be exactly one document."
    case .outOfMemory: "There is not enough memory."
    }
  }
}
