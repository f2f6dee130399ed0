import Foundation
import Synchronization

// A new meme on its way to the server. A large picture goes ahead of it in pieces, so that it gets there through a network that cuts
// every request: what has arrived stays, also when the app was ended.
extension MemeLibrary {
  /// A larger picture goes ahead.
  private static let wholeBytes = 1 << 20

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
        // The same upload is the same request; with another one it would be another.
        sending.entry, .upload(upload), key: IdempotencyKey("\(upload)"), by: client)
      // The meme has it. Where nobody says so it is removed after a day.
      try? await client.delete(upload)
      return made
    } catch MemeMeError.problem(let problem)
      where problem.fields.contains(where: { $0.code == "unknown-upload" })
    {
      // It went between the two. The next round sends it anew.
      try await store.note(nil, of: meme)
      throw MemeMeError.unexpectedAnswer(
        status: problem.status, requestID: problem.requestID, retryAfter: nil)
    }
  }

  /// Sends what the server does not have of a picture.
  ///
  /// - Returns: the upload that has all of it.
  private func sendAhead(
    _ original: Original, of meme: Meme.ID, by client: MemeMeClient
  ) async throws -> Upload.ID {
    // As long as something arrives it is worth to go on.
    let client = client.retrying(RetryPolicy())
    let progress: UploadProgress.Handler = { [weak self] progress in
      self?.report(progress: progress.fraction, of: meme)
    }
    let picture = Picture.data(original.bytes)
    if let begun = original.upload {
      do {
        return try await client.upload(picture, resuming: begun, progress: progress)
      } catch MemeMeError.problem(let problem) where [404, 410].contains(problem.status) {}
    }
    return try await client.upload(
      picture, started: { [store] id in try await store.note(id, of: meme) }, progress: progress)
  }

  private func publish(
    _ entry: OutboxEntry, _ source: MemeDraft.Source, key: IdempotencyKey, by client: MemeMeClient,
    progress: UploadProgress.Handler? = nil
  ) async throws -> Meme {
    let draft = MemeDraft(source, entry.content?.fields ?? MemeFields(), id: entry.meme)
    let published = try await client.publish(draft, key: key, progress: progress)
    guard published.meme.id == entry.meme else {
      // Not the answer to this request.
      throw MemeMeError.unexpectedAnswer(status: 201, requestID: nil, retryAfter: nil)
    }
    return published.meme
  }

  /// Shows progress in steps of a hundredth.
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
