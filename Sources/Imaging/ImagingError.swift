/// The reason why a picture cannot be read, drawn on or written.
package enum ImagingError: Error {
  /// The file is not a picture of an accepted kind.
  case unsupported
  /// The picture is truncated, or too damaged to be decoded. The library's message is for the log only.
  case broken(String)
  /// The picture has more pixels (width × height × frames) or longer edges than allowed.
  case tooLarge
  /// The animation has more frames than allowed.
  case tooManyFrames
  /// There is not enough memory for the picture at the moment. The description is for the log only.
  case outOfMemory(String)
  /// A library failed for a reason other than the picture. The operation and the message are for the log only.
  case library(operation: String, message: String)

  /// Creates an error from a library's message about reading a file. The file is at fault, unless the message reports
  /// that an allocation failed.
  init(reading message: String) {
    let text = message.lowercased()
    if text.contains("security limit") {
      // libheif reports as a lack of memory what exceeds its own limits.
      self = text.contains("image") ? .tooLarge : .broken(message)
    } else if Self.failedAllocations.contains(where: text.contains) {
      self = .outOfMemory(message)
    } else {
      self = .broken(message)
    }
  }

  /// libvips, libjpeg, libpng and libheif report a lack of memory only in the message. The word "memory" alone proves
  /// nothing: the message about a truncated color profile is "Read from memory error".
  private static let failedAllocations = [
    "out of memory", "insufficient memory", "memory allocation", "allocate memory",
  ]
}
