import Imaging
import Memes

/// Previews of a kept picture, of which more will follow: the first leaves its shrunken picture for them. Pictures that
/// move are decoded each time, frame by frame.
extension RenderPipeline {
  /// Makes the worker's picture what the decoder would, where it is on the shelf.
  ///
  /// - Returns: what is known of the file.
  func takeFromShelf() throws(MemeError) -> PictureFacts? {
    guard let (facts, key) = shelved, let pixels = worker.shelf.take(key) else { return nil }
    try step { () throws(ImagingError) in try worker.picture.restore(pixels) }
    return facts
  }

  /// Keeps the worker's picture as it is before anything is drawn on it.
  func putOnShelf() {
    guard let (_, key) = shelved, let pixels = worker.picture.copy() else { return }
    worker.shelf.put(pixels, key)
  }

  private var shelved: (PictureFacts, PictureShelf.Key)? {
    guard !order.thumbnails, let facts = order.picture.facts else { return nil }
    return (facts, PictureShelf.Key(digest: facts.digest, edge: longestEdge))
  }
}

extension OrderedPicture {
  /// `nil` of a picture that is not known yet.
  var facts: PictureFacts? {
    switch self {
    case .sent: nil
    case .kept(let picture): picture.facts
    }
  }
}
