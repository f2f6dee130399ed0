import Foundation

/// A temporary file with a request body. Only this user can read it, and it is removed with the last reference.
///
/// A repeated request reads this file, so it sends the same content even if the source has changed. It also allows
/// large pictures to be sent without loading them into memory.
final class SpooledFile: Sendable {
  let url: URL
  let byteCount: Int64

  /// The number of bytes in memory at a time.
  private static let pieceBytes = 256 * 1024

  private static let name = "mememe-request-"

  /// Removes, once per process, files that killed processes left behind: those older than a day.
  private static let sweep: Void = {
    let files = FileManager.default
    let left = try? files.contentsOfDirectory(
      at: files.temporaryDirectory, includingPropertiesForKeys: [.contentModificationDateKey])
    for file in left ?? [] where file.lastPathComponent.hasPrefix(name) {
      let values = try? file.resourceValues(forKeys: [.contentModificationDateKey])
      guard let date = values?.contentModificationDate, date.timeIntervalSinceNow < -86_400 else {
        continue
      }
      try? files.removeItem(at: file)
    }
  }()

  /// Writes the parts into a new file, one after another.
  init(_ parts: [Part]) throws {
    Self.sweep
    url = FileManager.default.temporaryDirectory
      .appending(path: Self.name + UUID().uuidString)
    let path = url.path(percentEncoded: false)
    guard
      FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    else {
      throw MemeMeError.unreadableFile("not enough disk space to queue the upload")
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
    /// A range of a file: the offset and the number of bytes.
    case range(URL, Int64, Int64)

    fileprivate func write(to file: FileHandle, _ pieceBytes: Int) throws -> Int64 {
      switch self {
      case .data(let data):
        try file.write(contentsOf: data)
        return Int64(data.count)
      case .file(let url):
        return try Self.copy(url, from: 0, atMost: .max, to: file, pieceBytes)
      case .range(let url, let start, let count):
        return try Self.copy(url, from: start, atMost: count, to: file, pieceBytes)
      }
    }

    private static func copy(
      _ url: URL, from start: Int64, atMost most: Int64, to file: FileHandle, _ pieceBytes: Int
    ) throws -> Int64 {
      let source = try FileHandle(forReadingFrom: url)
      defer { try? source.close() }
      try source.seek(toOffset: UInt64(clamping: start))
      var count: Int64 = 0
      while count < most,
        let piece = try source.read(upToCount: Int(min(Int64(pieceBytes), most - count))),
        !piece.isEmpty
      {
        try Task.checkCancellation()
        try file.write(contentsOf: piece)
        count += Int64(piece.count)
      }
      return count
    }
  }
}
