package import Bytes
package import Memes

/// Does one job after the other, on the thread that has made it.
package protocol Drawer: AnyObject {
  /// Loads what the first job would wait for. If that fails, the next job tries again and tells.
  func warmUp()

  /// - Throws: also ``MemeError/renderTimeout`` and, if the client has left, ``MemeError/rendering(_:)``.
  func perform(_ job: RenderJob, _ ticket: RenderTicket) throws(MemeError) -> Performed

  /// Frees memory that is for the next job alone.
  ///
  /// - Parameter time: how long there was nothing to do.
  /// - Returns: the memory of pictures that are kept for previews.
  func rest(after time: Duration) -> Int

  /// The last call.
  func end()
}

/// The result of a job, and how it came about.
package struct Performed: Sendable {
  package let result: RenderResult
  /// The file that it was done to, if it was read.
  package let file: Bytes?
  /// Whether the picture was still there from an earlier job.
  package let isFromShelf: Bool
  /// The memory of pictures that are kept for previews.
  package let shelfBytes: Int

  package init(_ result: RenderResult, file: Bytes?, isFromShelf: Bool, shelfBytes: Int) {
    (self.result, self.file) = (result, file)
    (self.isFromShelf, self.shelfBytes) = (isFromShelf, shelfBytes)
  }
}
