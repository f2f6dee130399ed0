/// The error for arguments that cannot be parsed.
package struct UsageError: Error, Equatable {
  package let reason: String
  /// The text that follows the reason: the usage of the command, or the way to it.
  package let help: String

  package init(_ help: String, _ reason: String) { (self.help, self.reason) = (help, reason) }
}
