import Foundation

extension MemeMeClient {
  /// Writes an answer's body into a file as it comes. Where the connection is cut, and the call may be made again, it goes on where it
  /// was, if the server can do that.
  ///
  /// - Parameter file: where it is to be. There is nothing before all of it has come; what was there is replaced.
  func download(
    _ call: Call, to file: URL, progress: DownloadProgress.Handler? = nil
  ) async throws {
    try await limited {
      let partial = file.deletingLastPathComponent()
        .appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
      guard
        FileManager.default.createFile(
          atPath: partial.path(percentEncoded: false), contents: nil,
          attributes: [.posixPermissions: 0o600])
      else { throw MemeMeError.unreadableFile("no file can be made at \(file.path())") }
      do {
        var download = Download(to: partial)
        try await repeating(call) {
          let answer = try await open(download.rest(of: call))
          try await download.take(answer, progress)
        }
        if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
          try FileManager.default.removeItem(at: file)
        }
        try FileManager.default.moveItem(at: partial, to: file)
      } catch {
        try? FileManager.default.removeItem(at: partial)
        throw error
      }
    }
  }
}

/// A file that comes, in several answers if need be.
private struct Download {
  private let file: URL
  /// How much of it is there.
  private var count: Int64 = 0
  /// Which file it is; `nil` where the server cannot send a part.
  private var tag: String?

  /// - Parameter file: is there, and empty.
  init(to file: URL) { self.file = file }

  /// Asks for what is not there yet (RFC 9110 §14.2): if it is another file by now, for all of that (§13.1.5).
  func rest(of call: Call) -> Call {
    guard let tag, count > 0 else { return call }
    var call = call
    call.headers["Range"] = "bytes=\(count)-"
    call.headers["If-Range"] = tag
    return call
  }

  mutating func take(_ answer: IncomingAnswer, _ progress: DownloadProgress.Handler?) async throws {
    let isRest = answer.head.status == 206
    if !isRest { count = 0 }
    tag = answer.head["Accept-Ranges"] == "bytes" ? answer.head["ETag"] : nil
    let total = answer.head["Content-Length"].flatMap { Int64($0) }.map { $0 + count }
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.truncate(atOffset: UInt64(count))
    try handle.seekToEnd()
    while let piece = try await answer.next() {
      try handle.write(contentsOf: piece)
      count += Int64(piece.count)
      progress?(DownloadProgress(receivedBytes: count, totalBytes: total))
    }
    try handle.synchronize()
  }
}
