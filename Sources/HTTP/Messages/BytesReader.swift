package import Bytes

/// Reads a body as it is, in memory where there is room, else on disk. How many bytes there may be is the daemon's to
/// watch. Used by one thread at a time.
package final class BytesReader: BodyReader {
  private let spool: Spool

  /// - Parameter place: where the body waits while it arrives.
  package init(in place: SpoolPlace) { spool = Spool(in: place) }

  /// - Throws: 507 where there is no room.
  package func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {
    do throws(Spool.Failure) { try spool.append(piece) } catch { throw Problem(error) }
  }

  package func finish() throws(Problem) -> RequestBody {
    do throws(Spool.Failure) { return .bytes(try spool.finish()) } catch { throw Problem(error) }
  }
}

extension Problem {
  /// What a client is told whose upload, or answer, could not be kept on its way.
  package init(_ failure: Spool.Failure) {
    switch failure {
    case .full: self.init(.storageFull, cause: "the disk for what is on its way is full")
    case .io(let code):
      self.init(.internalError, cause: "what is on its way could not be kept: errno \(code)")
    }
  }
}
