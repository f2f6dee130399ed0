extension MemeMeClient {
  /// Uploads a picture in one request, before the memes that use it.
  ///
  /// For large pictures and unreliable networks, use ``upload(_:resuming:started:progress:)``, which can resume.
  public func sendAhead(
    _ picture: Picture, key: IdempotencyKey = IdempotencyKey(),
    progress: UploadProgress.Handler? = nil
  ) async throws -> Upload {
    var call = Call(.createUpload)
    call.key = key
    call.body = try picture.body()
    call.progress = progress
    return try await value(call)
  }

  /// Uploads a picture in chunks (tus 1.0.0), and resumes after an interruption.
  ///
  /// The upload continues as long as the server receives data: only attempts without progress count against the
  /// ``RetryPolicy``. The server keeps received data for a day. After a restart, an app can resume with the same file.
  ///
  /// - Parameters:
  ///   - id: The ID of an earlier upload of the same file; `nil` to start a new upload.
  ///   - started: A callback that receives the ID before any data is sent. Store the ID to resume the upload later.
  ///   - progress: A callback for upload progress.
  /// - Returns: The ID of the upload, for ``MemeDraft/Source/upload(_:)``.
  /// - Throws: A problem with the code `notFound` or `gone` if the upload no longer exists.
  public func upload(
    _ picture: Picture, resuming id: Upload.ID? = nil,
    started: (@Sendable (Upload.ID) async throws -> Void)? = nil,
    progress: UploadProgress.Handler? = nil
  ) async throws -> Upload.ID {
    try await upload(picture, resuming: id, pieces: retries, started: started, progress: progress)
  }

  /// - Parameter pieces: The policy for repeating the requests about chunks. The request that starts an upload is
  ///   repeated as the client's own policy allows.
  func upload(
    _ picture: Picture, resuming id: Upload.ID?, pieces: RetryPolicy,
    started: (@Sendable (Upload.ID) async throws -> Void)? = nil,
    progress: UploadProgress.Handler? = nil
  ) async throws -> Upload.ID {
    try await limited {
      let client = retrying(pieces)
      let file = try SpooledFile([picture.part])
      let upload: ResumableUpload
      if let id {
        upload = ResumableUpload(client: client, id: id, file: file, progress: progress)
      } else {
        let id = try await beginUpload(byteCount: file.byteCount)
        try await started?(id)
        upload = ResumableUpload(client: client, id: id, file: file, progress: progress)
      }
      try await upload.run(knowing: id == nil ? 0 : nil)
      return upload.id
    }
  }

  /// Returns the state of a chunked upload.
  public func uploadState(_ id: Upload.ID) async throws -> UploadState {
    try await value(Call(.getUpload, "\(id)"))
  }

  /// Deletes an upload, even if it is incomplete. Memes made from it are kept.
  public func delete(_ id: Upload.ID) async throws {
    try await perform(Call(.deleteUpload, "\(id)"))
  }

  private func beginUpload(byteCount: Int64) async throws -> Upload.ID {
    var call = Call(.createUpload)
    // If the response is lost, an empty upload remains on the server until it expires.
    call.isRepeatable = true
    call.headers = ResumableUpload.version.merging(["Upload-Length": String(byteCount)]) { $1 }
    let answer = try await answer(call)
    let location = answer.head["Location"] ?? ""
    guard let id = location.split(separator: "/").last.flatMap({ Upload.ID(String($0)) }) else {
      throw answer.failure
    }
    return id
  }
}
