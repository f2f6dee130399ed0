import Foundation

/// An upload of a file in chunks with the protocol tus 1.0.0.
struct ResumableUpload: Sendable {
  let client: MemeMeClient
  let id: Upload.ID
  let file: SpooledFile
  let progress: UploadProgress.Handler?

  static let version = ["Tus-Resumable": "1.0.0"]
  /// The number of bytes per request. It bounds the disk space of a request. It does not bound the loss after an
  /// interruption, because the server keeps received data.
  static let pieceBytes: Int64 = 8 << 20

  /// Sends the data that the server does not have.
  ///
  /// - Parameter known: The number of bytes that the server has, if known.
  func run(knowing known: Int64?) async throws {
    var known = known
    var reached: Int64 = -1
    var attempts = 1
    while true {
      do {
        let offset: Int64
        if let known { offset = known } else { offset = try await askOffset() }
        if offset > reached { (reached, attempts) = (offset, 1) }
        guard offset < file.byteCount else { return }
        let next = try await sendPiece(at: offset)
        // Otherwise, a server or a proxy that takes no data would get the same request without end.
        guard next > offset else { throw MemeMeError.connection(.badServerResponse) }
        known = next
      } catch let error as MemeMeError {
        known = nil
        guard let pause = pause(after: attempts, error) else { throw error }
        attempts += 1
        try await Task.sleep(for: pause)
      }
    }
  }

  /// Conflicts with a concurrent upload or another offset are temporary: the next attempt asks for the offset.
  private func pause(after attempt: Int, _ error: MemeMeError) -> Duration? {
    if case .timeout = error { return client.retries.pause(after: attempt, .connection(.timedOut)) }
    let isOutOfStep = [409, 423].contains(error.problem?.status)
    return client.retries.pause(after: attempt, isOutOfStep ? .connection(.unknown) : error)
  }

  /// Returns the number of bytes that the server has. The server ends an earlier request that it considers active.
  private func askOffset() async throws -> Int64 {
    var call = Call(.getUpload, "\(id)")
    call.headers = Self.version
    return try await offset(of: call)
  }

  /// Sends a chunk (tus 1.0.0, PATCH).
  ///
  /// - Returns: The number of bytes that the server has now.
  private func sendPiece(at start: Int64) async throws -> Int64 {
    let count = min(Self.pieceBytes, file.byteCount - start)
    var call = Call(.appendToUpload, "\(id)")
    call.headers = Self.version.merging(["Upload-Offset": String(start)]) { $1 }
    call.body = .file(
      try SpooledFile([.range(file.url, start, count)]),
      contentType: "application/offset+octet-stream")
    if let progress {
      let total = file.byteCount
      call.progress = { step in
        progress(UploadProgress(sentBytes: start + step.sentBytes, totalBytes: total))
      }
    }
    return try await offset(of: call)
  }

  private func offset(of call: Call) async throws -> Int64 {
    let answer = try await client.open(call).collect(atMost: 1 << 20)
    guard let offset = answer.head["Upload-Offset"].flatMap({ Int64($0) }),
      (0...file.byteCount).contains(offset)
    else { throw answer.failure }
    return offset
  }
}
