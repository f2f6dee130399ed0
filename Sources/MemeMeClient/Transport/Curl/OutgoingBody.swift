#if os(Linux)
  import Foundation

  /// The body of a request, read in chunks.
  struct OutgoingBody {
    private let file: FileHandle?
    private var rest: Data

    /// - Throws: ``MemeMeError`` if the file no longer exists.
    init(_ body: RequestBody) throws {
      switch body {
      case .none: (file, rest) = (nil, Data())
      case .json(let json): (file, rest) = (nil, json)
      case .file(let spooled, _):
        do { (file, rest) = (try FileHandle(forReadingFrom: spooled.url), Data()) } catch {
          throw MemeMeError.unreadableFile((error as NSError).localizedDescription)
        }
      }
    }

    /// Copies the next chunk into the buffer.
    ///
    /// - Returns: The number of bytes copied, 0 at the end; `nil` if the file cannot be read.
    mutating func next(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
      guard let file else {
        let piece = rest.prefix(buffer.count)
        piece.copyBytes(to: buffer)
        rest = rest.dropFirst(piece.count)
        return piece.count
      }
      var count = -1
      repeat {
        count = read(file.fileDescriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      return count < 0 ? nil : count
    }
  }
#endif
