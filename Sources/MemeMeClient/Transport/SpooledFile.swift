import Foundation

/// A file of the client's own, with what a request is to carry: it is there until nobody needs it, and nobody else may read it.
///
/// What is sent again is read from here, so it is what was sent before, whatever became of where it came from; and a large
/// picture is sent without being in memory.
final class SpooledFile: Sendable {
  let url: URL
  let byteCount: Int64

  /// How much is in memory at a time.
  private static let pieceBytes = 256 * 1024

  /// Writes the parts into a new file, one behind the other.
  init(_ parts: [Part]) throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "mememe-request-\(UUID().uuidString)")
    let path = url.path(percentEncoded: false)
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    else {
      throw MemeMeError.unreadableFile("there is no room for it beside what waits to be sent")
    }
    do {
      let file = try FileHandle(forWritingTo: url)
      defer { try? file.close() }
      var count: Int64 = 0
      for part in parts { count += try part.write(to: file, Self.pieceBytes) }
      byteCount = count
    } catch {
      try? FileManager.default.removeItem(at: url)
      if error is CancellationError { throw error }
      throw MemeMeError.unreadableFile((error as NSError).localizedDescription)
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  enum Part {
    case data(Data)
    case file(URL)

    fileprivate func write(to file: FileHandle, _ pieceBytes: Int) throws -> Int64 {
      switch self {
      case .data(let data):
        try file.write(contentsOf: data)
        return Int64(data.count)
      case .file(let url):
        let source = try FileHandle(forReadingFrom: url)
        defer { try? source.close() }
        var count: Int64 = 0
        while let piece = try source.read(upToCount: pieceBytes), !piece.isEmpty {
          try Task.checkCancellation()
          try file.write(contentsOf: piece)
          count += Int64(piece.count)
        }
        return count
      }
    }
  }
}
