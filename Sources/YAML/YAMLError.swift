/// Why a text is not read as YAML, and where.
package struct YAMLError: Error, Equatable {
  package enum Reason: Equatable, Sendable {
    /// The text is not YAML; the parser's own words.
    case syntax(String)
    /// The text has more bytes than ``YAMLLimits/bytes``.
    case tooLarge
    /// More than ``YAMLLimits/nodes`` values.
    case tooManyNodes
    /// Sequences and mappings nest deeper than ``YAMLLimits/depth``.
    case tooDeep
    /// A mapping has the same key twice.
    case duplicateKey(String)
    /// A mapping's key is a sequence or a mapping.
    case keyIsNotScalar
    /// An anchor or an alias: a value is written where it belongs, so no small text can grow large.
    case aliasNotSupported
    /// A tag other than those of the core schema.
    case tagNotSupported(String)
    /// The value does not fit the type that its tag asks for, or an integer does not fit 64 bits.
    case invalidScalar(String)
    /// There is no document, or a second one.
    case notOneDocument
    /// There was no memory for the parser.
    case outOfMemory
  }

  package let reason: Reason
  /// The line, from 1.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int

  package init(_ reason: Reason, line: Int, column: Int) {
    (self.reason, self.line, self.column) = (reason, line, column)
  }
}

extension YAMLError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(reason)" }
}
