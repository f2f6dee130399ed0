import HTTP
import Memes
import Services

/// Passes the body of a PATCH to its upload chunk as it arrives.
final class ChunkReader: BodyReader {
  private let piece: UploadChunk

  init(_ piece: UploadChunk) { self.piece = piece }

  func receive(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    do { try piece.receive(bytes) } catch {
      let problem = Problem(error)
      // The daemon sends this response without the rest of the route, so add the header field here.
      throw Problem(
        problem.kind, problem.detail, headers: Headers([(.tusResumable, Tus.version)]),
        cause: problem.cause)
    }
  }

  func finish() throws(Problem) -> RequestBody { .made(piece) }

  /// The received bytes are kept.
  func end() { piece.end() }
}
