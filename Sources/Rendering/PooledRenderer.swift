package import Bytes
package import Memes
import Metrics

/// Draws memes, avatars and public copies of pictures with the workers of a ``RenderPool``, and computes the digests of
/// the results.
package struct PooledRenderer: MemeRenderer, PictureReader {
  let pool: RenderPool
  let limits: PictureLimits
  let digest: Digester
  private let throttle: Throttle?
  private let isPatient: Bool

  /// - Parameters:
  ///   - limits: for the pictures that are drawn on.
  ///   - throttle: the limit that drawing is charged to; `nil` to charge nothing.
  ///   - isPatient: whether the jobs of other renderers go first.
  package init(
    pool: RenderPool, limits: PictureLimits, digest: @escaping Digester,
    throttle: Throttle? = nil, isPatient: Bool = false
  ) {
    (self.pool, self.limits, self.digest) = (pool, limits, digest)
    (self.throttle, self.isPatient) = (throttle, isPatient)
  }

  /// The same renderer for work that can wait.
  package var patient: PooledRenderer {
    PooledRenderer(pool: pool, limits: limits, digest: digest, throttle: throttle, isPatient: true)
  }

  /// Runs a job for the requester of the current task.
  func run<Value: Sendable>(
    _ job: RenderJob, _ finish: @escaping @Sendable (JobOutcome) throws -> Value
  ) async throws -> Value {
    let account = JobAccount(Requester.current, throttle, isPatient: isPatient)
    return try await pool.run(job, for: account, finish)
  }

  package func render(_ order: RenderOrder) async throws -> RenderedMeme {
    let job = RenderJob(
      .meme(MemeTask(order)), order.picture, boxed: order.boxed, limits: limits)
    do {
      return try await run(job) { [digest] done in
        guard case .meme(let meme) = done.result else { throw MemeError.unexpected(done) }
        var rendered = RenderedMeme(
          original: try Self.original(of: meme, order.picture, done.file, digest), copy: meme.copy,
          image: PictureFile(meme.image, digest),
          thumbnails: meme.thumbnails.map {
            RenderedMeme.Thumbnails(
              table: PictureFile($0.table, digest), grid: PictureFile($0.grid, digest))
          }, fit: meme.fit)
        rendered.boxed = meme.boxed.map { file in file.map { PictureFile($0, digest) } }
        return rendered
      }
    } catch {
      // The process that draws does not know the request.
      guard case MemeError.invalid("image", let value) = error else { throw error }
      throw MemeError.invalid(field: order.pictureField, value)
    }
  }

  /// The facts of the file that was drawn on. Those of a stored picture are already known.
  private static func original(
    of meme: DrawnMeme, _ picture: RenderSource, _ file: Bytes?, _ digest: Digester
  ) throws -> PictureFacts {
    if case .kept(let kept) = picture { return kept.facts }
    guard let file = meme.copy ?? file else { throw MemeError.rendering(UnexpectedResult()) }
    return PictureFacts(meme.original, of: file, digest)
  }

  package func facts(of picture: Bytes) async throws -> PictureFacts {
    try await run(RenderJob(.head, .sent(picture), limits: limits)) {
      [digest] done in
      guard case .head(let head) = done.result else { throw MemeError.unexpected(done) }
      return PictureFacts(head, of: picture, digest)
    }
  }

  /// A public copy of a picture: upright, in sRGB, without metadata.
  ///
  /// - Throws: the errors of ``MemeRenderer/render(_:)``.
  package func template(of picture: RenderSource) async throws -> TemplateFiles {
    try await run(RenderJob(.template, picture, limits: limits)) {
      [digest] done in
      guard case .template(let copy, let thumbnail) = done.result else {
        throw MemeError.unexpected(done)
      }
      return TemplateFiles(
        picture: PictureFile(copy, digest), thumbnail: PictureFile(thumbnail, digest))
    }
  }

  /// Draws a small caption, to test whether drawing works.
  package func checkHealth() async throws {
    // A pool that is drawing needs no test, which would wait behind other orders.
    guard !pool.hasDrawn(within: .seconds(1)) else { return }
    // Run the test as the server's own job, whichever request it is for.
    try await pool.run(RenderJob(.trial)) { _ in }
  }

  /// The font faces for captions, with the font that is actually installed for each.
  ///
  /// - Returns: also the number of font families added to those of the machine.
  package func faces() async throws -> (faces: [FontFace], added: Int) {
    try await run(RenderJob(.faces)) { done in
      guard case .faces(let faces, let added) = done.result else {
        throw MemeError.unexpected(done)
      }
      return (faces, added)
    }
  }

  /// The candidates that this machine can write. For AVIF, this requires a trial encoding.
  package func writable(
    _ candidates: [OutputFormat]
  ) async throws -> [OutputFormat] {
    try await pool.run(RenderJob(.writable(candidates))) { done in
      guard case .writable(let formats) = done.result else { throw MemeError.unexpected(done) }
      return formats
    }
  }

  /// The formats in the limits that this machine cannot read.
  package func unreadable() async throws -> [PictureFormat] {
    try await run(RenderJob(.readable, limits: limits)) { done in
      guard case .readable(let missing) = done.result else { throw MemeError.unexpected(done) }
      return missing
    }
  }

  /// A PNG that shows the name of the face, drawn like a caption.
  ///
  /// - Throws: ``MemeError/notFound`` if there is no such face, and the errors of ``render(_:)``.
  package func sample(of face: FontID) async throws -> Bytes {
    try await run(RenderJob(.sample(face))) { done in
      guard case .sample(let sample) = done.result else { throw MemeError.unexpected(done) }
      return sample
    }
  }

  /// The font file of the face, if it may be distributed.
  ///
  /// - Throws: ``MemeError/notFound`` if there is no such face, or if its file may not be distributed.
  package func file(of face: FontID) async throws -> Bytes {
    try await run(RenderJob(.fontFile(face))) { done in
      guard case .fontFile(let file) = done.result else { throw MemeError.unexpected(done) }
      return file
    }
  }
}

extension PictureFacts {
  fileprivate init(_ head: PictureHead, of file: Bytes, _ digest: Digester) {
    self.init(size: head.size, format: head.format, byteCount: file.count, digest: digest(file))
  }
}

/// The drawer returned a result of another kind than its job.
struct UnexpectedResult: Error {}

extension MemeError {
  static func unexpected(_: JobOutcome) -> MemeError { .rendering(UnexpectedResult()) }
}
