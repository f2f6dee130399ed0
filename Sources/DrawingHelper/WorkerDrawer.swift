import Bytes
import Imaging
import Memes
package import Rendering
import Synchronization

/// Draws with the libraries in this process.
package final class WorkerDrawer: Drawer {
  /// The edge to which pictures are scaled down during verification: every row is decoded, but few are in memory.
  private static let checkedEdge = 512

  private let worker: RenderWorker

  /// - Parameter shelfBytes: the capacity of the preview cache.
  package init(shelfBytes: Int) {
    worker = RenderWorker(shelf: PreviewCache(capacityBytes: shelfBytes))
  }

  /// Creates a pool whose workers draw in this process.
  ///
  /// - Parameter fonts: a folder of fonts to add to those of the machine.
  package static func pool(_ settings: RendererSettings, fonts: String? = nil) -> RenderPool {
    // Add fonts before the threads that look them up start.
    if let fonts { _ = AddedFont.add(folder: fonts) }
    return RenderPool(settings: settings) {
      WorkerDrawer(shelfBytes: settings.shelfBytesOfWorker)
    }
  }

  package func warmUp() { worker.warmUp() }

  package func rest(after time: Duration) -> Int {
    worker.rest(after: time)
    return worker.shelf.bytes
  }

  package func end() { worker.end() }

  package func perform(
    _ job: RenderJob, _ ticket: RenderTicket
  ) throws -> JobOutcome {
    Vips.clearErrors()
    defer { worker.tidy() }
    // Read the file at most once, even if a pipeline reads it as well.
    let picture = ReadPicture(job.picture)
    let result = try result(of: job, picture, ticket)
    return JobOutcome(
      result, file: picture.file, isFromShelf: job.shelvedDigest != nil && picture.file == nil,
      shelfBytes: worker.shelf.bytes)
  }

  private func result(
    of job: RenderJob, _ picture: ReadPicture, _ ticket: RenderTicket
  ) throws -> RenderResult {
    let limits = job.limits
    switch job.work {
    case .meme(let task):
      var order = RenderOrder(
        picture: picture.ordered, recipe: task.recipe, maxEdge: task.maxEdge,
        format: task.format, acceptableFormats: task.acceptableFormats,
        thumbnails: task.thumbnails)
      (order.boxed, order.canvas, order.sizeLimit) = (job.boxed, task.canvas, task.sizeLimit)
      return .meme(
        try RenderPipeline(order: order, limits: limits, worker: worker, ticket: ticket).run())
    case .head:
      let file = try picture.bytes()
      return .head(
        PictureHead(try ticket.step { try limits.header(of: file) }))
    case .avatar:
      let pipeline = AvatarPipeline(limits: limits, worker: worker, ticket: ticket)
      return .avatar(try pipeline.avatar(of: picture.bytes()))
    case .initials(let letters, let background, let size):
      let pipeline = AvatarPipeline(limits: limits, worker: worker, ticket: ticket)
      return .initials(try pipeline.draw(letters, on: background, size))
    case .template:
      let pipeline = CopyPipeline(limits: limits, worker: worker, ticket: ticket)
      let copy = try pipeline.copy(picture.bytes(), crop: nil)
      return .template(copy, thumbnail: try pipeline.thumbnail())
    case .flaw(let format, let size):
      return .flaw(try flaw(of: picture.bytes(), format, size, limits, ticket))
    case .trial:
      let artist = try worker.artist()
      try ticket.step { try artist.warmUp() }
      return .trial
    case .faces: return try faces()
    case .writable(let formats): return .writable(formats.filter(Self.canWrite))
    case .readable:
      let missing = try ticket.step {
        let kinds = Set(limits.kinds.map(PictureKind.init))
        try Vips.allow(kinds)
        return kinds.filter { !Vips.reads($0) }
      }
      return .readable(
        missing: missing.map(PictureFormat.init).sorted { $0.rawValue < $1.rawValue })
    case .sample(let face):
      let artist = try worker.artist()
      let sample = try ticket.step { try artist.sample(of: face.text) }
      guard let sample else { throw MemeError.notFound }
      return .sample(sample)
    case .fontFile(let face):
      try ticket.claim(JobRequirements(bytes: 0, cost: JobRequirements.freeCost))
      guard let file = try worker.artist().file(of: face.text) else { throw MemeError.notFound }
      return .fontFile(file)
    }
  }

  private func faces() throws -> RenderResult {
    let artist = try worker.artist()
    let faces = artist.faces.map { face in
      let coverage = artist.coverage(of: face)
      return FontFace(
        id: FontID(stored: face.id), family: face.family, installed: face.installed,
        fitting: FontFitting(face), hasFile: artist.hasFile(face),
        hasLowercase: coverage.hasLowercase, scripts: coverage.scripts)
    }
    return .faces(faces, added: AddedFont.all.count)
  }

  private static func canWrite(_ format: OutputFormat) -> Bool {
    switch format {
    case .jpeg, .png: true
    case .webp: PictureEncoder.hasWebP
    case .gif: PictureEncoder.hasGIF
    case .avif: PictureEncoder.works(PictureEncoder.avif)
    }
  }

  private func flaw(
    of file: Bytes, _ format: PictureFormat, _ size: PixelSize, _ limits: PictureLimits,
    _ ticket: RenderTicket
  ) throws -> PictureFlaw? {
    guard let kind = PictureKind(sniffing: file) else { return .format(nil) }
    guard PictureFormat(kind) == format else { return .format(PictureFormat(kind)) }
    // The bytes are those that were stored. A decoder that is not enabled cannot check more.
    guard limits.kinds.contains(format) else { return nil }
    // Compare the size in the database row with the header before any pixel is decoded.
    var limits = limits
    limits.frames = .max
    let header: PictureHeader
    do throws(ImagingError) { header = try limits.header(of: file) } catch {
      return try flaw(error)
    }
    guard PixelSize(header) == size else { return .size(PixelSize(header)) }
    let shape = PictureShape(maximumEdge: Self.checkedEdge)
    try ticket.claim(.still(header, output: shape.size(of: size), []))
    do throws(ImagingError) {
      try PictureDecoder.decode(
        file, header: header, maximumEdge: shape.maximumEdge, into: worker.picture)
      return nil
    } catch { return try flaw(error) }
  }

  private func flaw(_ error: ImagingError) throws -> PictureFlaw {
    switch error {
    case .unsupported: return .format(nil)
    case .broken(let reason): return .undecodable(reason)
    case .tooLarge, .tooManyFrames:
      return .undecodable("it exceeds the limits for uploads")
    case .outOfMemory: throw MemeError.renderingStarved(error)
    case .library: throw MemeError.rendering(error)
    }
  }
}

/// The picture of a job. Its file is read at most once.
private final class ReadPicture: Sendable {
  private let picture: RenderSource?
  private let known = Mutex<Bytes?>(nil)

  init(_ picture: RenderSource?) { self.picture = picture }

  /// `nil` until the file is read.
  var file: Bytes? { known.withLock { $0 } }

  func bytes() throws -> Bytes {
    if let file { return file }
    guard let picture else { throw MemeError.rendering(MissingPicture()) }
    let file = try picture.bytes()
    known.withLock { $0 = file }
    return file
  }

  /// The same picture, whose file is read through this object.
  var ordered: RenderSource {
    let read = { @Sendable () in try self.bytes() }
    return switch picture {
    case .kept(let picture): .kept(StoredSource(facts: picture.facts, read: read))
    case .copied(let picture, let crop):
      .copied(StoredSource(facts: picture.facts, read: read), crop: crop)
    case .sent, .read, nil: .read(read)
    }
  }
}

/// The job needs a picture but has none.
struct MissingPicture: Error {}
