import Bytes
import Memes

extension RenderResult {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .meme(let meme):
      writer.put(UInt8(0))
      writer.put(meme.original.size)
      writer.put(meme.original.format)
      writer.put(meme.copy) { $0.put(file: $1) }
      writer.put(meme.image)
      writer.put(meme.thumbnails) { writer, thumbnails in
        writer.put(thumbnails.table)
        writer.put(thumbnails.grid)
      }
      writer.put(meme.fit) { $0.put($1) }
      writer.put(meme.boxed) { writer, file in writer.put(file) { $0.put($1) } }
    case .head(let head):
      writer.put(UInt8(1))
      writer.put(head.size)
      writer.put(head.format)
    case .avatar(let files):
      writer.put(UInt8(2))
      writer.put(files) { $0.put($1) }
    case .initials(let file):
      writer.put(UInt8(3))
      writer.put(file)
    case .template(let file, let thumbnail):
      writer.put(UInt8(4))
      writer.put(file)
      writer.put(thumbnail)
    case .flaw(let flaw):
      writer.put(UInt8(5))
      writer.put(flaw) { $0.put($1) }
    case .trial: writer.put(UInt8(6))
    case .faces(let faces, let added):
      writer.put(UInt8(7))
      writer.put(faces) { $0.put($1) }
      writer.put(added)
    case .writable(let formats):
      writer.put(UInt8(8))
      writer.put(formats) { $0.put($1) }
    case .readable(let missing):
      writer.put(UInt8(9))
      writer.put(missing) { $0.put($1) }
    case .sample(let file):
      writer.put(UInt8(10))
      writer.put(file: file)
    case .fontFile(let file):
      writer.put(UInt8(11))
      writer.put(file: file)
    }
  }

  package static func read(from reader: inout WireReader) throws -> RenderResult {
    let result = try readValues(from: &reader)
    try reader.end()
    return result
  }

  /// Reads a result. Other data may follow.
  static func readValues(from reader: inout WireReader) throws -> RenderResult {
    switch try reader.byte() {
    case 0: .meme(try meme(from: &reader))
    case 1: .head(PictureHead(size: try reader.size(), format: try reader.value()))
    case 2: .avatar(try reader.list(8) { reader in try reader.drawnFile() })
    case 3: .initials(try reader.drawnFile())
    case 4: .template(try reader.drawnFile(), thumbnail: try reader.drawnFile())
    case 5: .flaw(try reader.optional { reader in try reader.flaw() })
    case 6: .trial
    case 7:
      .faces(
        try reader.list { reader in try reader.face() },
        added: try reader.whole())
    case 8: .writable(try reader.list { reader in try reader.value() })
    case 9:
      .readable(missing: try reader.list { reader in try reader.value() })
    case 10: .sample(try reader.file())
    case 11: .fontFile(try reader.file())
    default: throw WireFormatError()
    }
  }

  private static func meme(from reader: inout WireReader) throws -> DrawnMeme {
    let original = PictureHead(size: try reader.size(), format: try reader.value())
    let copy = try reader.optional { reader in try reader.file() }
    let image = try reader.drawnFile()
    let thumbnails = try reader.optional { reader in
      DrawnMeme.Thumbnails(table: try reader.drawnFile(), grid: try reader.drawnFile())
    }
    let fit = try reader.list(Recipe.maximumCaptions) { reader in
      try reader.fit()
    }
    var meme = DrawnMeme(original: original, copy: copy, image: image, fit: fit)
    meme.thumbnails = thumbnails
    meme.boxed = try reader.list(BoxedPicture.maximumCount) { reader in
      try reader.optional { reader in try reader.drawnFile() }
    }
    return meme
  }
}

extension WireWriter {
  fileprivate mutating func put(_ flaw: PictureFlaw) {
    switch flaw {
    case .format(let format):
      put(UInt8(0))
      put(format) { $0.put($1) }
    case .size(let size):
      put(UInt8(1))
      put(size)
    case .undecodable(let reason):
      put(UInt8(2))
      put(reason.cut(toBytes: 1024))
    }
  }
}

extension WireReader {
  fileprivate mutating func flaw() throws -> PictureFlaw {
    switch try byte() {
    case 0: .format(try optional { reader in try reader.value() })
    case 1: .size(try size())
    case 2: .undecodable(try text(1024))
    default: throw WireFormatError()
    }
  }
}
