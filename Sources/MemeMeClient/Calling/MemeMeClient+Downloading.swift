import Foundation

extension MemeMeClient {
  /// Writes the response body into a file while it arrives. If the connection is lost and the call is repeatable, the
  /// download resumes at the last byte received, provided that the server supports it.
  ///
  /// - Parameter file: The destination. The file appears when the download is complete and replaces an existing file.
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
      else { throw MemeMeError.unreadableFile("cannot create \(file.path())") }
      do {
        var download = Download(to: partial)
        try await repeating(call) {
          let answer = try await open(download.rest(of: call))
          try await download.take(answer, progress)
        }
        // Unlike `moveItem`, this replaces an existing file in one step.
        let (from, to) = (partial.path(percentEncoded: false), file.path(percentEncoded: false))
        guard rename(from, to) == 0 else {
          let reason = String(cString: strerror(errno))
          throw MemeMeError.unreadableFile("cannot create \(file.path()): \(reason)")
        }
      } catch {
        try? FileManager.default.removeItem(at: partial)
        throw error
      }
    }
  }
}

/// A file that is being downloaded, in several responses if necessary.
private struct Download {
  private let file: URL
  /// The number of bytes received so far.
  private var count: Int64 = 0
  /// The entity tag of the file; `nil` if the server cannot send a part of it.
  private var tag: String?

  /// - Parameter file: An existing, empty file.
  init(to file: URL) { self.file = file }

  /// Requests the missing rest of the file (RFC 9110 §14.2), or the entire file if it has changed (§13.1.5).
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
