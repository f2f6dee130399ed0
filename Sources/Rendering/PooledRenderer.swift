package import Bytes
package import Memes
import Metrics

/// Draws memes with the workers of a ``RenderPool``, and counts the digests of what comes of it.
package struct PooledRenderer: MemeRenderer, PictureReader, PictureCopier {
  let pool: RenderPool
  let limits: PictureLimits
  let digest: Digester
  private let throttle: Throttle?
  private let isPatient: Bool

  /// - Parameters:
  ///   - limits: of the pictures that it is given.
  ///   - throttle: the limit that drawing is charged to; `nil`: none.
  ///   - isPatient: whether the jobs of other renderers go first.
  package init(
    pool: RenderPool, limits: PictureLimits, digest: @escaping Digester,
    throttle: Throttle? = nil, isPatient: Bool = false
  ) {
    (self.pool, self.limits, self.digest) = (pool, limits, digest)
    (self.throttle, self.isPatient) = (throttle, isPatient)
  }

  /// Has a job done for the requester of the current task.
  func run<Value: Sendable>(
    _ job: RenderJob, _ finish: @escaping @Sendable (Performed) throws(MemeError) -> Value
  ) async throws(MemeError) -> Value {
    let account = JobAccount(Requester.current, throttle, isPatient: isPatient)
    return try await pool.run(job, for: account, finish)
  }

  package func render(_ order: RenderOrder) async throws(MemeError) -> RenderedMeme {
    let job = RenderJob(.meme(MemeTask(order)), order.picture, limits: limits)
    return try await run(job) { [digest] done throws(MemeError) in
      guard case .meme(let meme) = done.result else { throw .unexpected(done) }
      return RenderedMeme(
        original: try Self.original(of: meme, order.picture, done.file, digest), copy: meme.copy,
        image: PictureFile(meme.image, digest),
        thumbnails: meme.thumbnails.map {
          RenderedMeme.Thumbnails(
            table: PictureFile($0.table, digest), grid: PictureFile($0.grid, digest))
        }, fit: meme.fit)
    }
  }

  /// The facts of the file that was drawn on: of one that is kept here they are known.
  private static func original(
    of meme: DrawnMeme, _ picture: OrderedPicture, _ file: Bytes?, _ digest: Digester
  ) throws(MemeError) -> PictureFacts {
    if case .kept(let kept) = picture { return kept.facts }
    guard let file = meme.copy ?? file else { throw .rendering(UnexpectedResult()) }
    return PictureFacts(meme.original, of: file, digest)
  }

  package func facts(of picture: Bytes) async throws(MemeError) -> PictureFacts {
    try await run(RenderJob(.head, .sent(picture), limits: limits)) {
      [digest] done throws(MemeError) in
      guard case .head(let head) = done.result else { throw .unexpected(done) }
      return PictureFacts(head, of: picture, digest)
    }
  }

  package func template(of picture: Bytes) async throws(MemeError) -> TemplateFiles {
    try await run(RenderJob(.template, .sent(picture), limits: limits)) {
      [digest] done throws(MemeError) in
      guard case .template(let copy, let thumbnail) = done.result else { throw .unexpected(done) }
      return TemplateFiles(
        picture: PictureFile(copy, digest), thumbnail: PictureFile(thumbnail, digest))
    }
  }

  package func checkHealth() async throws(MemeError) {
    // A pool that draws for others needs no order of its own, which would wait behind theirs.
    guard !pool.hasDrawn(within: .seconds(1)) else { return }
    // It is the server's own job, whatever request it is for.
    try await pool.run(RenderJob(.trial)) { _ in }
  }

  /// The faces that captions can be drawn in, and what is really installed for each.
  ///
  /// - Returns: also how many families were added to the machine's.
  package func faces() async throws(MemeError) -> (faces: [FontFace], added: Int) {
    try await run(RenderJob(.faces)) { done throws(MemeError) in
      guard case .faces(let faces, let added) = done.result else { throw .unexpected(done) }
      return (faces, added)
    }
  }

  /// Those of some kinds of file that this machine can write. For AVIF that takes a try.
  package func writable(
    _ candidates: [OutputFormat]
  ) async throws(MemeError) -> [OutputFormat] {
    try await pool.run(RenderJob(.writable(candidates))) { done throws(MemeError) in
      guard case .writable(let formats) = done.result else { throw .unexpected(done) }
      return formats
    }
  }

  /// The kinds of file of the limits that this machine cannot read.
  package func unreadable() async throws(MemeError) -> [PictureFormat] {
    try await run(RenderJob(.readable, limits: limits)) { done throws(MemeError) in
      guard case .readable(let missing) = done.result else { throw .unexpected(done) }
      return missing
    }
  }

  /// A PNG that shows the face: its name, drawn like a caption.
  ///
  /// - Throws: ``MemeError/notFound`` if there is no such face, and what ``render(_:)`` throws.
  package func sample(of face: FontID) async throws(MemeError) -> Bytes {
    try await run(RenderJob(.sample(face))) { done throws(MemeError) in
      guard case .sample(let sample) = done.result else { throw .unexpected(done) }
      return sample
    }
  }

  /// The face's file, if it may be handed on.
  ///
  /// - Throws: ``MemeError/notFound`` if it may not, or there is no such face.
  package func file(of face: FontID) async throws(MemeError) -> Bytes {
    try await run(RenderJob(.fontFile(face))) { done throws(MemeError) in
      guard case .fontFile(let file) = done.result else { throw .unexpected(done) }
      return file
    }
  }
}

extension PictureFacts {
  fileprivate init(_ head: PictureHead, of file: Bytes, _ digest: Digester) {
    self.init(size: head.size, format: head.format, byteCount: file.count, digest: digest(file))
  }
}

/// A drawer's answer that does not belong to its job.
struct UnexpectedResult: Error {}

extension MemeError {
  static func unexpected(_: Performed) -> MemeError { .rendering(UnexpectedResult()) }
}
