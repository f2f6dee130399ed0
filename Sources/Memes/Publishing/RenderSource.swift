package import Bytes

/// The source picture of a rendering.
package enum RenderSource: Sendable {
  /// A file from the request.
  case sent(Bytes)
  /// A stored file that may be drawn on again soon.
  case kept(StoredSource)
  /// A stored file that is drawn on once. It is read on the calling thread.
  case read(@Sendable () throws -> Bytes)
  /// A stored file of another meme. First its visible part is copied, then the captions are drawn on the copy.
  case copied(StoredSource, crop: Crop?)

  /// The bytes of the file. A stored file is read on the calling thread.
  package func bytes() throws -> Bytes {
    switch self {
    case .sent(let file): file
    case .read(let read): try read()
    case .kept(let picture), .copied(let picture, _): try picture.bytes()
    }
  }
}

/// The source of a picture in a box.
package struct BoxSource: Sendable {
  /// Whether a public copy is made first: upright, in sRGB, without metadata. The copy is drawn then.
  package let isCopied: Bool
  private let read: @Sendable () throws -> Bytes

  /// - Parameter read: reads the file on the calling thread.
  package init(isCopied: Bool = false, read: @escaping @Sendable () throws -> Bytes) {
    (self.isCopied, self.read) = (isCopied, read)
  }

  package func bytes() throws -> Bytes { try read() }
}

/// A stored file. It is read only when its bytes are needed, so that waiting orders take no memory.
package struct StoredSource: Sendable {
  package let facts: PictureFacts
  private let read: @Sendable () throws -> Bytes

  /// - Parameter read: reads the file on the calling thread.
  package init(facts: PictureFacts, read: @escaping @Sendable () throws -> Bytes) {
    (self.facts, self.read) = (facts, read)
  }

  package func bytes() throws -> Bytes { try read() }
}
