import Memes
import Synchronization

/// The bytes that networks reserved for resumable uploads, for the most recent uploads only. Safe to use
/// from any thread.
final class ReservedBytes: Sendable {
  private static let capacity = 16_384

  private let reserved = Mutex<[UploadID: (bytes: Int, network: ClientNetwork)]>([:])

  func note(_ id: UploadID, _ bytes: Int, of network: ClientNetwork) {
    reserved.withLock { reserved in
      if reserved.count >= Self.capacity { reserved.removeAll() }
      reserved[id] = (bytes, network)
    }
  }

  /// - Returns: `nil` if the upload is unknown.
  func take(_ id: UploadID) -> (bytes: Int, network: ClientNetwork)? {
    reserved.withLock { $0.removeValue(forKey: id) }
  }
}
