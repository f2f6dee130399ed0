import Imaging
import Memes
import Rendering

/// Previews of a kept picture, of which more will follow: the first leaves its shrunken picture for them. Pictures that
/// move are decoded each time, frame by frame.
extension RenderPipeline {
  /// Draws on what the decoder has left of the picture, where it is on the shelf.
  func drawFromShelf() throws(MemeError) -> DrawnMeme? {
    guard let facts = shelvedFacts else { return nil }
    try recipe.crop.check(inside: facts.size)
    let (shape, bars) = try shape(of: facts.size, within: bounds)
    guard let pixels = worker.shelf.take(PictureShelf.Key(facts.digest, shape)) else { return nil }
    try step { () throws(ImagingError) in try worker.picture.restore(pixels) }
    try ticket.claim(
      .made(
        shape.size(of: facts.size), formats(mayBeTransparent: worker.picture.hasAlpha), recipe))
    let (image, fit) = try drawStill(shape, bars)
    return DrawnMeme(
      original: PictureHead(size: facts.size, format: facts.format), image: image, fit: fit)
  }

  /// Keeps the worker's picture as it is before bars are added or anything is drawn on it.
  func putOnShelf(_ shape: PictureShape) {
    guard let facts = shelvedFacts, let pixels = worker.picture.copy() else { return }
    worker.shelf.put(pixels, PictureShelf.Key(facts.digest, shape))
  }

  /// Of the file, where it is one for the shelf.
  private var shelvedFacts: PictureFacts? { order.thumbnails ? nil : order.picture.facts }
}

extension PictureShelf.Key {
  fileprivate init(_ digest: Digest, _ shape: PictureShape) {
    self.init(digest: digest, crop: shape.crop, edge: shape.maximumEdge)
  }
}

extension OrderedPicture {
  /// Of the file that is drawn on; `nil` where it is not known yet.
  var facts: PictureFacts? {
    switch self {
    case .sent, .read, .copied: nil
    case .kept(let picture): picture.facts
    }
  }
}
