package import Bytes

/// Where a draft's picture comes from.
package enum PictureSource: Sendable, Equatable {
  /// The file came with the draft.
  case image(Bytes)
  /// It was sent before.
  case upload(UploadID)

  /// What clients call it.
  package var field: String {
    switch self {
    case .image: "image"
    case .upload: "upload"
    }
  }
}
