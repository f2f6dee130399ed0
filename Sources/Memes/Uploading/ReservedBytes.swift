import Synchronization

/// The bytes that networks reserved for uploads in pieces, of the latest uploads. Safe to use from any thread.
final class ReservedBytes: Sendable {
  private static let capacity = 16_384

  private let reserved = Mutex<[UploadID: (bytes: Int, network: ClientNetwork)]>([:])

  func note(_ id: UploadID, _ bytes: Int, of network: ClientNetwork) {
    reserved.withLock { reserved in
      if reserved.count >= Self.capacity { reserved.removeAll() }
      reserved[id] = (bytes, network)
    }
  }

  /// - Returns: `nil` if nothing is known of the upload.
  func take(_ id: UploadID) -> (bytes: Int, network: ClientNetwork)? {
    reserved.withLock { $0.removeValue(forKey: id) }
  }
}
