package import Bytes

/// A stored picture file. If its bytes are in an object store, they are read only when they are needed.
package struct StoredPictureFile: Sendable {
  package enum Content: Sendable {
    case local(Bytes)
    case remote(any RemoteBytes)
  }

  package let facts: PictureFacts
  package let content: Content

  /// A file whose bytes are in memory.
  package init(_ file: PictureFile) { (facts, content) = (file.facts, .local(file.bytes)) }

  /// - Parameter bytes: those that the facts describe.
  package init(_ facts: PictureFacts, _ bytes: any RemoteBytes) {
    (self.facts, content) = (facts, .remote(bytes))
  }

  /// Reads all bytes.
  ///
  /// - Throws: ``MemeError/storageStarved(_:)`` if the object store does not answer; ``MemeError/storage(_:)`` if it
  ///   has lost the file, or has other bytes.
  package func bytes() async throws -> Bytes {
    switch content {
    case .local(let bytes): bytes
    case .remote(let bytes): try await bytes.bytes(in: 0..<bytes.count)
    }
  }

  /// The file with its bytes.
  ///
  /// - Throws: the errors of ``bytes()``.
  package func loaded() async throws -> PictureFile {
    PictureFile(facts: facts, bytes: try await bytes())
  }
}
