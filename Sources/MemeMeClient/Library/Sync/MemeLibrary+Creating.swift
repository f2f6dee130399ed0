import Foundation
import Synchronization

// Creating memes on the server. A large picture is uploaded in chunks before its meme, so it arrives even if the
// network interrupts every request. The server keeps the received chunks, even if the app ends.
extension MemeLibrary {
  /// Larger pictures are uploaded in chunks.
  static let wholeBytes = 1 << 20

  func create(_ sending: Sending, by client: MemeMeClient) async throws -> Meme {
    let meme = sending.entry.meme
    report(progress: 0, of: meme)
    guard let original = sending.original, original.bytes.count > Self.wholeBytes else {
      let picture = Picture.data(sending.original?.bytes ?? Data())
      return try await publish(
        sending.entry, .image(picture), key: sending.entry.key ?? IdempotencyKey(), by: client
      ) { [weak self] progress in self?.report(progress: progress.fraction, of: meme) }
    }
    let upload = try await sendAhead(original, of: meme, by: client)
    do {
      let made = try await publish(
        // The key depends on the upload and the meme, because a request with others is a different request. If a draft
        // is applied, its upload gets another meme.
        sending.entry, .upload(upload), key: IdempotencyKey("\(upload)-\(meme)"), by: client)
      // The meme has its own copy. If this request fails, the server removes the upload after a day.
      try? await client.delete(upload)
      return made
    } catch MemeMeError.problem(let problem)
      where problem.fields.contains(where: { ($0.field, $0.code) == ("upload", "unknown-upload") })
    {
      // The upload expired between the two requests. The next round uploads the picture again. That does not help if
      // the upload of a picture in a box expired, which has the field `pictures[0].upload`.
      try await store.note(nil, of: meme)
      throw MemeMeError.unexpectedAnswer(
        status: problem.status, requestID: problem.requestID, retryAfter: nil)
    }
  }

  /// Uploads the missing part of a picture.
  ///
  /// - Returns: The complete upload.
  private func sendAhead(
    _ original: Original, of meme: Meme.ID, by client: MemeMeClient
  ) async throws -> Upload.ID {
    // Retries are worthwhile as long as the server receives data. Until then, the next round is soon enough: each
    // request to start an upload whose response is lost leaves one on the server.
    let pieces = RetryPolicy()
    let progress: UploadProgress.Handler = { [weak self] progress in
      self?.report(progress: progress.fraction, of: meme)
    }
    let picture = Picture.data(original.bytes)
    if let begun = original.upload {
      do {
        return try await client.upload(
          picture, resuming: begun, pieces: pieces, progress: progress)
      } catch MemeMeError.problem(let problem) where [404, 410].contains(problem.status) {}
    }
    return try await client.upload(
      picture, resuming: nil, pieces: pieces,
      started: { [store] id in try await store.note(id, of: meme) }, progress: progress)
  }

  private func publish(
    _ entry: OutboxEntry, _ source: MemeDraft.Source, key: IdempotencyKey, by client: MemeMeClient,
    progress: UploadProgress.Handler? = nil
  ) async throws -> Meme {
    let draft = MemeDraft(source, entry.content?.fields ?? MemeFields(), id: entry.meme)
    let published = try await client.publish(draft, key: key, progress: progress)
    guard published.meme.id == entry.meme else {
      // The response is not for this request.
      throw MemeMeError.unexpectedAnswer(status: 201, requestID: nil, retryAfter: nil)
    }
    return published.meme
  }

  /// Reports progress in steps of one percent.
  private func report(progress: Double, of meme: Meme.ID) {
    let isStep = uploads.withLock { uploads in
      guard let before = uploads[meme] else {
        uploads[meme] = progress
        return true
      }
      guard progress - before >= 0.01 || progress < before else { return false }
      uploads[meme] = progress
      return true
    }
    if isStep { changes.tell(LibraryUpdate([meme])) }
  }
}
