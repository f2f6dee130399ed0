/// The confinement layers in force in a helper process. The process has tested each of them.
package struct Confinement: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Landlock: the process can open only files that libraries read, and no network connections.
  package static let files = Confinement(rawValue: 1)
  /// seccomp: the process can make only the system calls that it needs.
  package static let calls = Confinement(rawValue: 2)

  /// The required confinement.
  package enum Demand: String, CaseIterable, Sendable {
    /// Do not draw without ``Confinement/calls``.
    case require
    /// Use every layer that the system supports.
    case `try`
    /// Do not confine the process.
    case off
  }
}
