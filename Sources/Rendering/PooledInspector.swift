package import Memes

/// Decodes pictures for ``DataCheck``.
///
/// Verifies pictures by decoding them with the workers of a ``RenderPool``, as a render does.
package struct PooledInspector {
  private let pool: RenderPool
  private let kinds: Set<PictureFormat>

  /// - Parameter kinds: the formats that may be decoded. For other formats, only the first bytes are checked.
  package init(pool: RenderPool, kinds: Set<PictureFormat> = Set(PictureFormat.standard)) {
    (self.pool, self.kinds) = (pool, kinds)
  }

  /// Decodes the whole picture and compares it with its facts.
  ///
  /// - Returns: the first difference; `nil` if the picture matches its facts.
  /// - Throws: ``MemeError/overloaded``, ``MemeError/renderTimeout`` or ``MemeError/rendering(_:)`` if the picture
  ///   could not be tested.
  package func flaw(of picture: PictureFile) async throws -> PictureFlaw? {
    // The number of pixels was checked when the picture was uploaded.
    var limits = PictureLimits(pixels: .max)
    limits.kinds = kinds
    let job = RenderJob(
      .flaw(picture.facts.format, picture.facts.size), .sent(picture.bytes), limits: limits)
    return try await pool.run(job) { done in
      guard case .flaw(let flaw) = done.result else { throw MemeError.unexpected(done) }
      return flaw
    }
  }
}
