import Imaging
import Memes
import Rendering

/// Previews of a stored picture. More previews usually follow, so the first one caches the scaled-down picture for
/// them. Animations are decoded each time, frame by frame.
extension RenderPipeline {
  /// Draws on the cached pixels of the picture. Returns `nil` if the cache does not have them.
  func drawFromShelf(_ boxed: [Boxed]) throws -> DrawnMeme? {
    guard let facts = shelvedFacts else { return nil }
    try recipe.crop.check(inside: facts.size)
    let (shape, bars) = try shape(of: facts.size, within: bounds)
    guard let pixels = worker.shelf.take(PreviewCache.Key(facts.digest, shape)) else { return nil }
    try step { try worker.picture.restore(pixels) }
    let need = require(shape.size(of: facts.size), on: canvas) { output in
      .made(output, formats(mayBeTransparent: worker.picture.hasAlpha), recipe)
    }
    try ticket.claim(need)
    let (image, fit) = try drawStill(shape, bars, boxed, within: need)
    return DrawnMeme(
      original: PictureHead(size: facts.size, format: facts.format), image: image, fit: fit)
  }

  /// Caches the worker's picture before bars are added or anything is drawn on it.
  func putOnShelf(_ shape: PictureShape) {
    guard let facts = shelvedFacts, let pixels = worker.picture.copy() else { return }
    worker.shelf.put(pixels, PreviewCache.Key(facts.digest, shape))
  }

  /// The facts of the file; `nil` if its pixels must not be cached.
  private var shelvedFacts: PictureFacts? { order.thumbnails ? nil : order.picture.facts }
}

extension PreviewCache.Key {
  fileprivate init(_ digest: Digest, _ shape: PictureShape) {
    self.init(digest: digest, crop: shape.crop, edge: shape.maximumEdge)
  }
}

extension RenderSource {
  /// The facts of the file to draw on; `nil` if they are not known yet.
  var facts: PictureFacts? {
    switch self {
    case .sent, .read, .copied: nil
    case .kept(let picture): picture.facts
    }
  }
}
