import Bytes
import Memes

extension RenderJob {
  /// Writes the job without the files of its pictures.
  ///
  /// - Parameters:
  ///   - time: the time limit of the job.
  ///   - boxedBytes: the sizes of the files of the pictures in boxes. They follow the file of the picture.
  package func write(
    to writer: inout WireWriter, within time: Duration, boxedBytes: [Int] = []
  ) {
    writer.put(Int(time / .milliseconds(1)))
    writer.put(limits)
    writer.put(Array(zip(boxed, boxedBytes))) { writer, box in
      writer.put(box.0.isCopied)
      writer.put(box.1)
    }
    switch picture {
    case nil: writer.put(UInt8(0))
    case .sent, .read: writer.put(UInt8(1))
    case .kept(let picture):
      writer.put(UInt8(2))
      writer.put(picture.facts)
    case .copied(let picture, let crop):
      writer.put(UInt8(3))
      writer.put(picture.facts)
      writer.put(crop) { $0.put($1) }
    }
    switch work {
    case .meme(let task):
      writer.put(UInt8(0))
      writer.put(task.recipe)
      writer.put(task.maxEdge.pixels)
      writer.put(task.format) { $0.put($1) }
      writer.put(task.acceptableFormats) { $0.put($1) }
      writer.put(task.thumbnails)
      writer.put(task.canvas) { $0.put($1) }
      writer.put(task.sizeLimit) { $0.put($1) }
    case .head: writer.put(UInt8(1))
    case .avatar: writer.put(UInt8(2))
    case .initials(let letters, let background, let size):
      writer.put(UInt8(3))
      writer.put(letters)
      writer.put(background)
      writer.put(size)
    case .template: writer.put(UInt8(4))
    case .flaw(let format, let size):
      writer.put(UInt8(5))
      writer.put(format)
      writer.put(size)
    case .trial: writer.put(UInt8(6))
    case .faces: writer.put(UInt8(7))
    case .writable(let formats):
      writer.put(UInt8(8))
      writer.put(formats) { $0.put($1) }
    case .readable: writer.put(UInt8(9))
    case .sample(let face):
      writer.put(UInt8(10))
      writer.put(face.text)
    case .fontFile(let face):
      writer.put(UInt8(11))
      writer.put(face.text)
    }
  }

  /// Reads a job.
  ///
  /// - Parameter file: reads the files of the job's pictures, one after the other.
  /// - Returns: also the time limit of the job.
  package static func read(
    from reader: inout WireReader, file: @escaping FileReader
  ) throws -> (RenderJob, within: Duration) {
    let time = Duration.milliseconds(try reader.whole(0...1_000_000_000))
    let limits = try reader.limits()
    let (boxed, boxedBytes) = try boxes(from: &reader, file)
    let file: FileReader = { try file().dropping(first: 0, last: boxedBytes) }
    let picture: RenderSource? =
      switch try reader.byte() {
      case 0: nil
      case 1: .read(file)
      case 2: .kept(StoredSource(facts: try reader.facts(), read: file))
      case 3:
        .copied(
          StoredSource(facts: try reader.facts(), read: file),
          crop: try reader.optional { reader in try reader.crop() })
      default: throw WireFormatError()
      }
    let job = RenderJob(try work(from: &reader), picture, boxed: boxed, limits: limits)
    try reader.end()
    return (job, time)
  }

  /// Reads the boxes, whose files are the last ones.
  ///
  /// - Returns: also the size of their files together.
  private static func boxes(
    from reader: inout WireReader, _ file: @escaping FileReader
  ) throws -> (boxes: [BoxSource], bytes: Int) {
    let heads = try reader.list(BoxedPicture.maximumCount) { reader in
      (isCopied: try reader.flag(), bytes: try reader.whole(0...BoxedPicture.maximumBytes))
    }
    var behind = heads.reduce(0) { $0 + $1.bytes }
    let all = behind
    let boxes = heads.map { head in
      let before = behind
      behind -= head.bytes
      return BoxSource(isCopied: head.isCopied) { [behind] in
        let file = try file()
        return try file.dropping(first: file.count - before, last: behind)
      }
    }
    return (boxes, all)
  }

  private static func work(from reader: inout WireReader) throws -> Work {
    switch try reader.byte() {
    case 0: .meme(try task(from: &reader))
    case 1: .head
    case 2: .avatar
    case 3: .initials(try reader.text(), try reader.colour(), try reader.value())
    case 4: .template
    case 5: .flaw(try reader.value(), try reader.anySize())
    case 6: .trial
    case 7: .faces
    case 8: .writable(try reader.list { reader in try reader.value() })
    case 9: .readable
    case 10: .sample(FontID(stored: try reader.text()))
    case 11: .fontFile(FontID(stored: try reader.text()))
    default: throw WireFormatError()
    }
  }

  private static func task(from reader: inout WireReader) throws -> MemeTask {
    var task = MemeTask(
      recipe: try reader.recipe(), maxEdge: try reader.maxEdge(),
      format: try reader.optional { reader in try reader.value() },
      acceptableFormats: try reader.list { reader in try reader.value() },
      thumbnails: try reader.flag())
    task.canvas = try reader.optional { reader in try reader.size() }
    task.sizeLimit = try reader.optional { reader in try reader.size() }
    return task
  }
}

extension WireWriter {
  fileprivate mutating func put(_ facts: PictureFacts) {
    put(facts.size)
    put(facts.format)
    put(facts.byteCount)
    put(facts.digest.bytes) { $0.put($1) }
  }
}

extension WireReader {
  /// A size from a database row, which may be invalid.
  fileprivate mutating func anySize() throws -> PixelSize {
    PixelSize(width: try whole(Int.min...Int.max), height: try whole(Int.min...Int.max))
  }

  fileprivate mutating func facts() throws -> PictureFacts {
    let (size, format, count) = (try anySize(), try value(PictureFormat.self), try whole())
    let bytes = try list(32) { reader in try reader.byte() }
    guard let digest = Digest(bytes) else { throw WireFormatError() }
    return PictureFacts(size: size, format: format, byteCount: count, digest: digest)
  }
}

extension Bytes {
  /// The file between other files of a job.
  fileprivate func dropping(first: Int, last: Int) throws -> Bytes {
    guard first >= 0, last >= 0, first <= count - last, let part = slice(first..<count - last)
    else {
      throw WireFormatError()
    }
    return part
  }
}
