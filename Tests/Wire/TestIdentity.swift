package import Foundation
package import HTTPDaemon

/// A certificate for `localhost` and its key. Both are public in the repository and serve tests only.
package enum TestIdentity {
  package static let certificate = folder.appending(path: "test-only-certificate.pem")
  package static let key = folder.appending(path: "test-only-key.pem")
  /// The key of another certificate.
  package static let otherKey = folder.appending(path: "test-only-other-key.pem")

  package static func load() throws -> TLSIdentity {
    try TLSIdentity(
      certificate: Array(Data(contentsOf: certificate)), key: Array(Data(contentsOf: key)))
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")
}
