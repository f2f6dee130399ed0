import Imaging
import Memes

extension MemeError {
  /// Converts a drawing error to an error of the domain. Messages of libraries stay
  /// in the underlying error, for the log.
  init(_ error: ImagingError) {
    self =
      switch error {
      case .unsupported: .unsupportedPicture
      case .broken: .invalid(field: "image", .brokenPicture)
      case .tooLarge: .invalid(field: "image", .tooManyPixels)
      case .tooManyFrames: .invalid(field: "image", .tooManyFrames)
      case .outOfMemory: .renderingStarved(error)
      case .library: .rendering(error)
      }
  }
}

extension InvalidValue {
  fileprivate static let brokenPicture = InvalidValue(
    code: "broken-picture", message: "The picture is corrupt or truncated.")
  fileprivate static let tooManyFrames = InvalidValue(
    code: "too-many-frames", message: "The picture has too many frames.")
  fileprivate static let tooManyPixels = InvalidValue(
    code: "too-many-pixels", message: "The picture has too many pixels.")
}
