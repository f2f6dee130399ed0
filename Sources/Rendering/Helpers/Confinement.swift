/// The layers that keep a process that draws from doing anything else. It has tried each.
package struct Confinement: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It opens no file but those that libraries read, and no connection: Landlock.
  package static let files = Confinement(rawValue: 1)
  /// It has only the system calls that it needs: seccomp.
  package static let calls = Confinement(rawValue: 2)

  /// The layers that there must be.
  package enum Demand: String, CaseIterable, Sendable {
    /// Without ``Confinement/calls`` nothing is drawn.
    case require
    /// As much as the system lets it have.
    case `try`
    /// None.
    case off
  }
}
