package import Bytes

/// Reads a body unchanged, into memory if there is room, otherwise to disk. The daemon enforces the size
/// limit. Used by one thread at a time.
package final class BytesReader: BodyReader {
  private let spool: Spool

  /// - Parameter place: stores the body while it arrives.
  package init(in place: SpoolPlace) { spool = Spool(in: place) }

  /// - Throws: 507 if no space is left.
  package func receive(_ piece: UnsafeRawBufferPointer) throws(Problem) {
    do throws(Spool.Failure) { try spool.append(piece) } catch { throw Problem(error) }
  }

  package func finish() throws(Problem) -> RequestBody {
    do throws(Spool.Failure) { return .bytes(try spool.finish()) } catch { throw Problem(error) }
  }
}

extension Problem {
  /// The problem to report if an upload or a response could not be stored temporarily.
  package init(_ failure: Spool.Failure) {
    switch failure {
    case .full: self.init(.storageFull, cause: "the disk for request bodies is full")
    case .io(let code):
      self.init(.internalError, cause: "cannot write the request body to disk: errno \(code)")
    }
  }
}
