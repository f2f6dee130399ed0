package import Bytes
import Memes

/// Performs one job after another, on the thread that created it.
package protocol Drawer: AnyObject {
  /// Loads everything that the first job would wait for. If that fails, the next job tries again and reports the error.
  func warmUp()

  /// - Throws: among others ``MemeError/renderTimeout``, and
  ///   ``MemeError/rendering(_:)`` if the client has disconnected.
  func perform(_ job: RenderJob, _ ticket: RenderTicket) throws -> JobOutcome

  /// Frees memory that only the next job would use.
  ///
  /// - Parameter time: how long the drawer has been idle.
  /// - Returns: the memory of the preview cache in bytes.
  func rest(after time: Duration) -> Int

  /// Must be the last call.
  func end()
}

/// The result of a job, with facts about its execution.
package struct JobOutcome: Sendable {
  package let result: RenderResult
  /// The file of the job's picture, if it was read.
  package let file: Bytes?
  /// Whether the picture came from the preview cache.
  package let isFromShelf: Bool
  /// The memory of the preview cache in bytes.
  package let shelfBytes: Int

  package init(_ result: RenderResult, file: Bytes?, isFromShelf: Bool, shelfBytes: Int) {
    (self.result, self.file) = (result, file)
    (self.isFromShelf, self.shelfBytes) = (isFromShelf, shelfBytes)
  }
}
