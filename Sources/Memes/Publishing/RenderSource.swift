package import Bytes

/// The picture of an order.
package enum OrderedPicture: Sendable {
  /// A file that came with the request.
  case sent(Bytes)
  /// A file that is kept here, and may be drawn on again soon.
  case kept(KeptPicture)
  /// A file that is kept here and is drawn on once, read on the thread that calls.
  case read(@Sendable () throws(MemeError) -> Bytes)
  /// A file of somebody else's that is kept here: what everybody may have of it is copied first, and the copy is drawn on.
  case copied(KeptPicture, crop: Crop?)

  /// The file, read on the thread that asks where it is kept here.
  package func bytes() throws(MemeError) -> Bytes {
    switch self {
    case .sent(let file): file
    case .read(let read): try read()
    case .kept(let picture), .copied(let picture, _): try picture.bytes()
    }
  }
}

/// A file that is kept here. It is read when somebody needs its bytes, so that an order that waits takes no memory.
package struct KeptPicture: Sendable {
  package let facts: PictureFacts
  private let read: @Sendable () throws(MemeError) -> Bytes

  /// - Parameter read: reads the file, on the thread that asks.
  package init(facts: PictureFacts, read: @escaping @Sendable () throws(MemeError) -> Bytes) {
    (self.facts, self.read) = (facts, read)
  }

  fileprivate func bytes() throws(MemeError) -> Bytes { try read() }
}
