extension MemeMeClient {
  /// Sends a picture ahead of the memes that are made of it, in one request.
  ///
  /// On a bad network, or where the picture is large, ``upload(_:resuming:started:progress:)`` goes on where it was cut.
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

  /// Sends a picture ahead in pieces (tus 1.0.0), and goes on where it was cut.
  ///
  /// It goes on for as long as something arrives: only attempts without any count against the ``RetryPolicy``. What was
  /// sent stays on the server for a day, so that an app that was ended can go on with the same file.
  ///
  /// - Parameters:
  ///   - id: of an upload of the same file that was begun before; `nil` for a new one.
  ///   - started: is told the id before anything is sent, to be kept for that.
  ///   - progress: is told how much of the file is sent.
  /// - Returns: what names the picture: ``MemeDraft/Source/upload(_:)``.
  /// - Throws: a problem: `notFound` or `gone` where the upload is no longer there.
  public func upload(
    _ picture: Picture, resuming id: Upload.ID? = nil,
    started: (@Sendable (Upload.ID) async throws -> Void)? = nil,
    progress: UploadProgress.Handler? = nil
  ) async throws -> Upload.ID {
    try await limited {
      let file = try SpooledFile([picture.part])
      let upload: ResumableUpload
      if let id {
        upload = ResumableUpload(client: self, id: id, file: file, progress: progress)
      } else {
        let id = try await beginUpload(byteCount: file.byteCount)
        try await started?(id)
        upload = ResumableUpload(client: self, id: id, file: file, progress: progress)
      }
      try await upload.run(knowing: id == nil ? 0 : nil)
      return upload.id
    }
  }

  /// How far an upload in pieces has come.
  public func uploadState(_ id: Upload.ID) async throws -> UploadState {
    try await value(Call(.getUpload, "\(id)"))
  }

  /// Removes a picture that was sent ahead, or a part of it. Memes that were made of it stay.
  public func delete(_ id: Upload.ID) async throws {
    try await perform(Call(.deleteUpload, "\(id)"))
  }

  private func beginUpload(byteCount: Int64) async throws -> Upload.ID {
    var call = Call(.createUpload)
    // Where the answer is lost, an upload is left that nobody sends anything to, and that expires.
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
