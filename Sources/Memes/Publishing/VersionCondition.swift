/// The versions of a resource that a change applies to. The condition is checked in the transaction of the change. If
/// two clients saw the same version, only one of them can change it.
package enum VersionCondition: Equatable, Sendable {
  /// Any version.
  case any
  /// One of these versions. An empty set allows no change.
  case oneOf(Set<Int>)

  package func allows(_ version: Int) -> Bool {
    switch self {
    case .any: true
    case .oneOf(let versions): versions.contains(version)
    }
  }
}
