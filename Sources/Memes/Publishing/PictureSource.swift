package import Bytes

/// Where a draft's picture comes from.
package enum PictureSource: Sendable, Equatable {
  /// The file came with the draft.
  case image(Bytes)
  /// It was sent before.
  case upload(UploadID)
  /// It is kept for everybody.
  case template(TemplateID)
  /// Another meme's, as its viewers see it, but for the captions.
  case remix(MemeID)

  /// What clients call it.
  package var field: String {
    switch self {
    case .image: "image"
    case .upload: "upload"
    case .template: "template"
    case .remix: "remix"
    }
  }
}

extension PictureSource {
  /// Where the bytes are that are kept of it.
  ///
  /// - Parameter copy: that was drawn on; `nil` where none was made.
  /// - Throws: ``MemeError/rendering(_:)`` where one is missing.
  func file(_ copy: Bytes?) throws(MemeError) -> FileSource {
    switch self {
    case .image(let file): return .bytes(file)
    case .upload(let id): return .upload(id)
    case .template(let id): return .template(id)
    case .remix:
      guard let copy else { throw .rendering(MissingCopy()) }
      return .bytes(copy)
    }
  }
}
