/// Which versions of a meme a change is meant for. It is settled in the transaction of the change, so that two who saw
/// the same version cannot both change it.
package enum VersionCondition: Equatable, Sendable {
  /// Whatever is there.
  case any
  /// One of these; none of them: nothing is changed.
  case oneOf(Set<Int>)

  package func allows(_ version: Int) -> Bool {
    switch self {
    case .any: true
    case .oneOf(let versions): versions.contains(version)
    }
  }
}
