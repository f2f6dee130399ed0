import Bytes
import HTTP
import Memes
import Services

/// Resumable uploads with tus 1.0.0.
extension UploadRoutes {
  /// Creates an upload, with the first chunk if the request contains one.
  func begin(_ call: Call) async throws -> Response {
    let length = try Tus.length(call.request.head.headers, atMost: context.maxUploadBytes)
    let first = try firstPiece(of: call, atMost: length)
    var progress = try await resumable.begin(
      byteCount: length, by: call.viewer, from: call.network)
    if let first {
      let piece = try await resumable.piece(of: progress.id, at: 0)
      try first.withUnsafeBytes { bytes in try piece.receive(bytes) }
      do { progress = try await piece.end().value.get() } catch {
        // If the chunk was not rejected but could not be stored at the moment, the client resumes at the stored offset.
        guard let left = try? await resumable.progress(of: progress.id) else { throw error }
        progress = left
      }
    }
    return answer(.created, progress)
      .with(.location, HeaderValue("\(context.basePath)/uploads/\(progress.id)"))
  }

  private func firstPiece(of call: Call, atMost length: Int) throws(Problem) -> Bytes? {
    guard case .bytes(let bytes) = call.request.body, !bytes.isEmpty else { return nil }
    guard call.request.head.headers[.contentType]?.mediaType == Tus.mediaType.text else {
      throw Problem(
        .unsupportedMediaType, "The Content-Type must be \(Tus.mediaType.text).",
        headers: Headers([(.accept, Tus.mediaType)]))
    }
    guard bytes.count <= length else { throw Problem(MemeError.uploadTooLong) }
    return bytes
  }

  /// Creates the reader of a PATCH from the request head.
  func pieceReader(
    _ head: RequestHead, _ parameters: Parameters
  ) async throws(Problem) -> any BodyReader {
    guard try Tus.isUsed(head.headers) else { throw Tus.otherVersion }
    let offset = try Tus.offset(head.headers)
    do {
      let piece = try await resumable.piece(of: try parameters.id(), at: offset)
      let length = head.headers[.contentLength].flatMap { Int($0.text) } ?? 0
      guard length <= piece.room else { throw MemeError.uploadTooLong }
      return ChunkReader(piece)
    } catch { throw Problem(error) }
  }

  /// Stores the received chunk, even if the client disconnects.
  func append(_ call: Call) async throws -> Response {
    guard case .made(let piece as UploadChunk) = call.request.body else {
      throw Problem(.malformedRequest)
    }
    var response = answer(.noContent, try await piece.end().value.get()).with(.contentType, nil)
    response.body = Bytes()
    return response
  }

  /// A tus client that requests the offset is about to resume. Ends a chunk that is still arriving, and counts what has
  /// arrived of it.
  func look(_ call: Call) async throws -> Response {
    let id: UploadID = try call.id()
    let isTus = try Tus.isUsed(call.request.head.headers)
    return answer(
      .ok,
      isTus ? try await resumable.settledProgress(of: id) : try await resumable.progress(of: id))
  }

  func delete(_ call: Call) async throws -> Response {
    try await resumable.remove(call.id())
    return .noContent
  }

  private func answer(_ status: Status, _ progress: UploadProgress) -> Response {
    var json = JSONWriter()
    json.object { json in
      json.member("id", progress.id.description)
      json.member("bytes", progress.byteCount)
      json.member("offset", progress.offset)
      json.member("width", progress.picture?.size.width)
      json.member("height", progress.picture?.size.height)
      json.member("mediaType", progress.picture?.format.mediaType)
      json.member("expiresAt", progress.expiresAt.description)
    }
    // The ID grants access to the picture.
    return Response(status, "application/json", json.finish())
      .with(.uploadOffset, HeaderValue("\(progress.offset)"))
      .with(.uploadLength, HeaderValue("\(progress.byteCount)"))
      .with(.uploadExpires, HeaderValue("\(progress.expiresAt.internetText) GMT"))
      .with(.cacheControl, "no-store")
  }
}
