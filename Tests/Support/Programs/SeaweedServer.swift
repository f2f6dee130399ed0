package import Foundation

/// An object store that can be killed: SeaweedFS.
package final class SeaweedServer: Sendable {
  package let program: KillableProgram
  private let port: Int

  /// Starts a server.
  ///
  /// - Parameter folder: for its data and its log.
  package init(in folder: URL) throws {
    port = try KillableProgram.freePort()
    let script = KillableProgram.script("seaweedfs")
    program = try KillableProgram(
      "seaweedfs", [script, folder.appending(path: "seaweedfs").path, "\(port)"],
      readiness: "'\(script)' --is-ready \(port)", environment: Self.account, in: folder)
  }

  /// That of ``RcloneServer``.
  private static let account = [
    "AWS_ACCESS_KEY_ID": RcloneServer.accessKey, "AWS_SECRET_ACCESS_KEY": RcloneServer.secret,
  ]

  /// The address of its bucket.
  package var address: String {
    "s3://memes/pictures?endpoint=http://127.0.0.1:\(port)&path-style=yes"
  }

  /// The settings of a server that keeps pictures in it.
  package var settings: [String: String] {
    Self.account.merging(["MEMEME_OBJECTS": address]) { $1 }
  }
}
