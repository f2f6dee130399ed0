/// What this build calls itself; the contract's `info.version` is the same.
package enum Version {
  package static let current = "0.1.0"
}
