import Foundation

/// The other end of a connection, from its beginning to its end.
final class Client: Sendable {
  /// The address, as text.
  let peer: String

  init(address: UnsafePointer<sockaddr>?) {
    peer = address.flatMap { SocketAddress($0) }?.host ?? ""
  }
}
