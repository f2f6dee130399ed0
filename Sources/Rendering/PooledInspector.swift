package import Memes

/// Decodes pictures with the workers of a ``RenderPool``, as a render would.
package struct PooledInspector: PictureInspector {
  private let pool: RenderPool
  private let kinds: Set<PictureFormat>

  /// - Parameter kinds: those that may be decoded. Of others only the first bytes are looked at.
  package init(pool: RenderPool, kinds: Set<PictureFormat> = Set(PictureFormat.standard)) {
    (self.pool, self.kinds) = (pool, kinds)
  }

  package func flaw(of picture: PictureFile) async throws(MemeError) -> PictureFlaw? {
    // A picture that was uploaded had few enough pixels then.
    var limits = PictureLimits(pixels: .max)
    limits.kinds = kinds
    let job = RenderJob(
      .flaw(picture.facts.format, picture.facts.size), .sent(picture.bytes), limits: limits)
    return try await pool.run(job) { done throws(MemeError) in
      guard case .flaw(let flaw) = done.result else { throw .unexpected(done) }
      return flaw
    }
  }
}
