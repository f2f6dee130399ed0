package import Bytes

/// The source of a draft's picture.
package enum PictureSource: Sendable, Equatable {
  /// A file in the request.
  case image(Bytes)
  /// A file that the client uploaded before.
  case upload(UploadID)
  /// A template, available to everyone.
  case template(TemplateID)
  /// A template by an alias, which may later name another one. It becomes ``template(_:)`` before anything is drawn or
  /// stored.
  case aliasedTemplate(TemplateAlias)
  /// The picture of another meme as its viewers see it, without the captions.
  case remix(MemeID)

  /// The field of the request.
  package var field: String {
    switch self {
    case .image: "image"
    case .upload: "upload"
    case .template, .aliasedTemplate: "template"
    case .remix: "remix"
    }
  }
}

extension PictureSource {
  /// The meme whose picture it is; `nil` for other pictures.
  package var remixed: MemeID? { if case .remix(let id) = self { id } else { nil } }

  /// The source of the bytes that are stored with the meme.
  ///
  /// - Parameter copy: the copy that was drawn on; `nil` if none was made.
  /// - Throws: ``MemeError/rendering(_:)`` if a required copy is missing.
  package func file(_ copy: Bytes?) throws -> FileSource {
    switch self {
    case .image(let file): return .bytes(file)
    case .upload(let id): return .upload(id)
    case .template(let id): return .template(id)
    case .aliasedTemplate: throw MemeError.noSuchTemplate
    case .remix:
      guard let copy else { throw MemeError.rendering(MissingCopy()) }
      return .bytes(copy)
    }
  }
}
