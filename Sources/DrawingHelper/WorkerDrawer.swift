import Bytes
import Imaging
package import Memes
package import Rendering
import Synchronization

/// Draws with the libraries of this process.
package final class WorkerDrawer: Drawer {
  /// The edge that pictures are shrunk to while they are checked: every row is decoded, and few are in memory.
  private static let checkedEdge = 512

  private let worker: RenderWorker

  /// - Parameter shelfBytes: of shrunken pictures that previews are drawn on.
  package init(shelfBytes: Int) {
    worker = RenderWorker(shelf: PictureShelf(capacityBytes: shelfBytes))
  }

  /// A pool whose workers draw in this process.
  ///
  /// - Parameter fonts: a folder with fonts that are added to those of the machine.
  package static func pool(_ settings: RendererSettings, fonts: String? = nil) -> RenderPool {
    // Before the threads that look fonts up.
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
  ) throws(MemeError) -> Performed {
    defer { worker.tidy() }
    // Read once, also by a pipeline that reads it for itself.
    let picture = ReadPicture(job.picture)
    let result = try result(of: job, picture, ticket)
    return Performed(
      result, file: picture.file, isFromShelf: job.shelvedDigest != nil && picture.file == nil,
      shelfBytes: worker.shelf.bytes)
  }

  private func result(
    of job: RenderJob, _ picture: ReadPicture, _ ticket: RenderTicket
  ) throws(MemeError) -> RenderResult {
    let limits = job.limits
    switch job.work {
    case .meme(let task):
      let order = RenderOrder(
        picture: picture.ordered, recipe: task.recipe, maxEdge: task.maxEdge,
        format: task.format, acceptableFormats: task.acceptableFormats,
        thumbnails: task.thumbnails)
      return .meme(
        try RenderPipeline(order: order, limits: limits, worker: worker, ticket: ticket).run())
    case .head:
      let file = try picture.bytes()
      return .head(
        PictureHead(try ticket.step { () throws(ImagingError) in try limits.header(of: file) }))
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
      try ticket.step { () throws(ImagingError) in try artist.warmUp() }
      return .trial
    case .faces: return try faces()
    case .writable(let formats): return .writable(formats.filter(Self.canWrite))
    case .readable:
      let missing = try ticket.step { () throws(ImagingError) in
        let kinds = Set(limits.kinds.map(PictureKind.init))
        try Vips.allow(kinds)
        return kinds.filter { !Vips.reads($0) }
      }
      return .readable(
        missing: missing.map(PictureFormat.init).sorted { $0.rawValue < $1.rawValue })
    case .sample(let face):
      let artist = try worker.artist()
      let sample = try ticket.step { () throws(ImagingError) in try artist.sample(of: face.text) }
      guard let sample else { throw .notFound }
      return .sample(sample)
    case .fontFile(let face):
      try ticket.claim(JobNeed(bytes: 0, cost: JobNeed.freeCost))
      guard let file = try worker.artist().file(of: face.text) else { throw .notFound }
      return .fontFile(file)
    }
  }

  private func faces() throws(MemeError) -> RenderResult {
    let artist = try worker.artist()
    let faces = artist.faces.map { face in
      FontFace(
        id: FontID(stored: face.id), family: face.family, installed: face.installed,
        fitting: FontFitting(face), hasFile: artist.hasFile(face))
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
  ) throws(MemeError) -> PictureFlaw? {
    guard let kind = PictureKind(sniffing: file) else { return .format(nil) }
    guard PictureFormat(kind) == format else { return .format(PictureFormat(kind)) }
    // The bytes are those that were stored. A decoder that is not trusted has nothing to add.
    guard limits.kinds.contains(format) else { return nil }
    // The row's size is compared with the header before any pixel is decoded.
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

  private func flaw(_ error: ImagingError) throws(MemeError) -> PictureFlaw {
    switch error {
    case .unsupported: return .format(nil)
    case .broken(let reason): return .undecodable(reason)
    case .tooLarge, .tooManyFrames:
      return .undecodable("it is larger, or has more scans, than any upload may")
    case .outOfMemory: throw .renderingStarved(error)
    case .library: throw .rendering(error)
    }
  }
}

/// The picture of a job, whose file is read once at most.
private final class ReadPicture: Sendable {
  private let picture: OrderedPicture?
  private let known = Mutex<Bytes?>(nil)

  init(_ picture: OrderedPicture?) { self.picture = picture }

  /// `nil` until it is read.
  var file: Bytes? { known.withLock { $0 } }

  func bytes() throws(MemeError) -> Bytes {
    if let file { return file }
    guard let picture else { throw .rendering(MissingPicture()) }
    let file = try picture.bytes()
    known.withLock { $0 = file }
    return file
  }

  /// The same picture, read here.
  var ordered: OrderedPicture {
    let read = { @Sendable () throws(MemeError) in try self.bytes() }
    return switch picture {
    case .kept(let picture): .kept(KeptPicture(facts: picture.facts, read: read))
    case .copied(let picture, let crop):
      .copied(KeptPicture(facts: picture.facts, read: read), crop: crop)
    case .sent, .read, nil: .read(read)
    }
  }
}

/// A job came without the picture that it needs.
struct MissingPicture: Error {}
