import HTTP
import Memes

/// Hands the body of a PATCH on to the piece that it is, as it comes.
final class PieceReader: BodyReader {
  private let piece: ArrivingPiece

  init(_ piece: ArrivingPiece) { self.piece = piece }

  func receive(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    do throws(MemeError) { try piece.receive(bytes) } catch {
      let problem = Problem(error)
      // The daemon answers this one.
      throw Problem(
        problem.kind, problem.detail, headers: Headers([(.tusResumable, Tus.version)]),
        cause: problem.cause)
    }
  }

  func finish() throws(Problem) -> RequestBody { .made(piece) }

  /// What arrived stays.
  func end() { piece.end() }
}
