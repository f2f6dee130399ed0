import Bytes
import Imaging
import Memes
import Rendering

/// Pictures in boxes. They are drawn below the captions.
extension RenderPipeline {
  /// The file of a picture in a box.
  struct Boxed {
    let file: Bytes
    /// The same as a new copy; `nil` if the order does not ask for one.
    let copy: DrawnFile?
  }

  /// Reads the files of the pictures in boxes, and copies those that the order wants copied.
  ///
  /// Overwrites the worker's picture.
  func boxedFiles() throws -> [Boxed] {
    let copying = CopyPipeline(limits: limits, worker: worker, ticket: ticket)
    var bytes = 0
    return try order.boxed.enumerated().map { index, source in
      let file = try source.bytes()
      let copy = source.isCopied ? try naming(index) { try copying.copy(file, crop: nil) } : nil
      bytes += copy?.bytes.count ?? file.count
      guard bytes <= BoxedPicture.maximumBytes else {
        throw MemeError.invalid(field: "pictures[\(index)]", .tooLargeTogether)
      }
      return Boxed(file: copy?.bytes ?? file, copy: copy)
    }
  }

  /// Draws all pictures in boxes.
  ///
  /// - Parameters:
  ///   - rows: the rows of the picture without its bars.
  ///   - need: the resources that the steps before and after need. They stay claimed.
  func draw(
    _ boxed: [Boxed], on picture: PixelBuffer, rows: Range<Int>, within need: JobRequirements
  ) throws {
    for (index, (boxed, box)) in zip(boxed, recipe.pictures).enumerated() {
      try naming(index) { try draw(boxed.file, in: box, on: picture, rows: rows, within: need) }
    }
  }

  private func draw(
    _ file: Bytes, in box: PictureBox, on picture: PixelBuffer, rows: Range<Int>,
    within need: JobRequirements
  ) throws {
    let header = try step { try limits.header(of: file) }
    let inlay = PictureInlay(
      box: InkBox(box.place, in: picture, rows: rows), fit: box.fit == .contain ? .contain : .cover,
      rotation: box.rotation)
    let edge = inlay.decodedEdge(ofWidth: header.width, height: header.height)
    try ticket.claim(
      .boxed(
        header, drawn: PictureShape(maximumEdge: edge).size(of: PixelSize(header)),
        on: PixelSize(picture), within: need))
    try step {
      try PictureDecoder.decode(file, header: header, maximumEdge: edge, into: worker.grid)
    }
    // A rotated box would reach into the bars. A still gets its bars later, over the pictures.
    try step { try inlay.draw(worker.grid, on: picture, rows: rows) }
  }

  /// Names the box in errors about its picture.
  private func naming<Value>(_ index: Int, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch MemeError.invalid("image", let value) {
      throw MemeError.invalid(field: "pictures[\(index)]", value)
    }
  }
}
