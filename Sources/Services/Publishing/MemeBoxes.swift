package import Memes

/// The pictures in the boxes of a meme that is being drawn.
package struct MemeBoxes: Sendable {
  struct Box: Sendable {
    let source: BoxSource
    let byteCount: Int
    /// What is stored with the meme; `nil` stores the copy.
    let stored: BoxedFile?

    init(_ source: BoxSource, byteCount: Int, stored: BoxedFile? = nil) {
      (self.source, self.byteCount, self.stored) = (source, byteCount, stored)
    }
  }

  private var boxes: [(field: String, box: Box)] = []

  package init() {}

  mutating func add(_ source: BoxedPicture.Source, _ box: Box) {
    boxes.append(("pictures[\(boxes.count)].\(source.field)", box))
  }

  var sources: [BoxSource] { boxes.map(\.box.source) }

  /// - Throws: ``MemeError/invalid(field:_:)`` if the pictures are too large together.
  func checkSize() throws {
    try Self.checkSize(boxes.reduce(0) { $0 + $1.box.byteCount })
  }

  private static func checkSize(_ bytes: Int) throws {
    guard bytes > BoxedPicture.maximumBytes else { return }
    throw MemeError.invalid(field: "pictures", .tooLargeTogether)
  }

  /// The error with the field of the request.
  func naming(_ error: any Error) -> any Error {
    guard case MemeError.invalid(let field, let value) = error,
      let index = boxes.indices.first(where: { "pictures[\($0)]" == field })
    else { return error }
    return MemeError.invalid(field: boxes[index].field, value)
  }

  /// The files to store with a drawn meme.
  ///
  /// - Throws: ``MemeError/rendering(_:)`` if a copy is missing; ``MemeError/invalid(field:_:)`` if the files are too
  ///   large together.
  package func files(of rendered: RenderedMeme) throws -> [BoxedFile] {
    let copies = rendered.boxed
    let files = try boxes.enumerated().map { index, box in
      if let stored = box.box.stored { return stored }
      guard copies.indices.contains(index), let copy = copies[index] else {
        throw MemeError.rendering(MissingCopy())
      }
      return BoxedFile(copy.facts, .bytes(copy.bytes))
    }
    try Self.checkSize(files.reduce(0) { $0 + $1.facts.byteCount })
    return files
  }
}
